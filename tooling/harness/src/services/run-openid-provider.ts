import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';

/** The first argument is the configuration of the provider in JSON, with its issuer, whose port it listens on. */
const { issuer, ...configuration } = JSON.parse(process.argv[2] ?? '{}') as { readonly issuer: string };

/** Its pages take any username with any password. */
const findAccount = (_: unknown, accountId: string) => ({
  accountId,
  claims: () => ({
    sub: `subject of ${accountId}`,
    preferred_username: accountId,
    email: `${accountId}@example.org`,
    email_verified: true,
  }),
});

const provider = new Provider(issuer, { ...configuration, findAccount });
createServer(provider.callback()).listen(Number(new URL(issuer).port), '127.0.0.1');
