import type { ClientStore } from '@access-admin/store';
import type { Config } from '../../config.ts';
import type { Secrets } from './secrets.ts';

/** The credentials that the operator gets. */
export interface BootstrapCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly tenant: string;
}

export interface BootstrapClientDeps {
  readonly clients: ClientStore;
  readonly secrets: Pick<Secrets, 'hash'>;
  readonly config: Pick<Config, 'tenant' | 'bootstrapClientId' | 'bootstrapClientSecret'>;
  readonly now: () => Date;
  readonly newId: () => string;
  readonly newSecret: () => string;
  /** Keeps generated credentials before the client is created: a crash in between must not lose the only copy of the secret. */
  readonly keep: (credentials: BootstrapCredentials) => Promise<KeptCredentials>;
}

/** Credentials in a draft file. */
export interface KeptCredentials {
  /** The client exists: moves the file to its place and prints the credentials, once. */
  confirm(): Promise<void>;
  /** Another process has created the first client: removes the draft. */
  discard(): Promise<void>;
}

/** Creates the first client, an application with every scope, when the store has no client at all. */
export async function createBootstrapClient(deps: BootstrapClientDeps): Promise<void> {
  const { clients, config } = deps;
  if (await clients.hasAny()) return;
  const clientId = config.bootstrapClientId ?? deps.newId();
  const clientSecret = config.bootstrapClientSecret ?? deps.newSecret();
  const isGenerated = config.bootstrapClientId === null || config.bootstrapClientSecret === null;
  const kept = isGenerated ? await deps.keep({ clientId, clientSecret, tenant: config.tenant }) : null;
  const created = await clients.createFirst({
    tenant: config.tenant,
    id: clientId,
    name: 'Bootstrap client',
    created: deps.now().toISOString(),
    secretHash: await deps.secrets.hash(clientSecret, { tenant: config.tenant, clientId }),
  });
  await (created ? kept?.confirm() : kept?.discard());
}
