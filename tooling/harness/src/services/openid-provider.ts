import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../machine/free-port.ts';
import { openFolder } from '../machine/open-folder.ts';
import { startNode } from '../processes/start-app.ts';

const POLL_MS = 20;

/** An OpenID provider with one client. Its pages sign in everyone by any username and any password. */
export interface RunningOpenidProvider extends AsyncDisposable {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Starts the package `oidc-provider` in a process of its own, for a client that is reached at an address. */
export async function startOpenidProvider(redirectUri: string): Promise<RunningOpenidProvider> {
  const folder = openFolder('openid-provider');
  const issuer = `http://127.0.0.1:${await freePort()}`;
  const clientId = 'access-admin';
  const clientSecret = randomUUID();
  const configuration = {
    issuer,
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [redirectUri],
        response_types: ['code'],
        grant_types: ['authorization_code'],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    claims: { profile: ['preferred_username'], email: ['email', 'email_verified'] },
    cookies: { keys: [randomUUID()] },
  };
  const module = join(import.meta.dirname, 'run-openid-provider.ts');
  const running = startNode(module, [JSON.stringify(configuration)], { env: {}, cwd: folder.path });
  let hasEnded = false;
  const setEnded = () => {
    hasEnded = true;
  };
  running.ended.then(setEnded, setEnded);
  const isReady = () =>
    fetch(`${issuer}/.well-known/openid-configuration`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) {
    if (hasEnded) throw new Error(`the provider ended:\n${running.output()}`);
    await delay(POLL_MS);
  }
  return {
    issuer,
    clientId,
    clientSecret,
    [Symbol.asyncDispose]: async () => {
      await running[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}
