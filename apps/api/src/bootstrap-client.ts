import { SCOPES } from '@access-admin/domain';
import type { ClientStore } from '@access-admin/store';
import type { Config } from './config.ts';
import { hashSecret } from './secrets.ts';

/** Credentials as they are kept for the operator. */
export interface BootstrapCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly tenant: string;
}

export interface BootstrapClientDeps {
  readonly clients: ClientStore;
  readonly config: Pick<Config, 'tenant' | 'bootstrapClientId' | 'bootstrapClientSecret'>;
  readonly now: () => Date;
  readonly newId: () => string;
  readonly newSecret: () => string;
  /** Keeps and shows generated credentials: the only time that the secret is seen. */
  readonly announce: (credentials: BootstrapCredentials) => Promise<void>;
}

/** Creates the first client, an application with every scope, when the store has no client at all. */
export async function createBootstrapClient(deps: BootstrapClientDeps): Promise<void> {
  const { config } = deps;
  const clientId = config.bootstrapClientId ?? deps.newId();
  const clientSecret = config.bootstrapClientSecret ?? deps.newSecret();
  const created = await deps.clients.createFirst({
    tenant: config.tenant,
    id: clientId,
    name: 'Bootstrap client',
    scopes: SCOPES,
    identityId: null,
    created: deps.now().toISOString(),
    secretHash: await hashSecret(clientSecret),
  });
  const generated = config.bootstrapClientId === null || config.bootstrapClientSecret === null;
  if (created && generated) await deps.announce({ clientId, clientSecret, tenant: config.tenant });
}
