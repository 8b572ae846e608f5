import { type AuditContext, fail, failure, ok, type Result } from '@access-admin/domain';
import { type ClientStore, type ClientWithSecrets, TenantRemoved } from '@access-admin/store';
import type { Config } from '../../config.ts';
import { createFindClient } from './find-client.ts';
import type { Secrets } from './secrets.ts';

/** The credentials that the operator gets. */
export interface BootstrapCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly tenant: string;
}

export interface BootstrapClientDeps {
  readonly clients: ClientStore;
  readonly secrets: Pick<Secrets, 'hash' | 'authenticate'>;
  readonly config: Pick<Config, 'tenant' | 'bootstrapClientId' | 'bootstrapClientSecret'>;
  readonly log: { warn(fields: object, message: string): void };
  readonly now: () => Date;
  readonly newId: () => string;
  readonly newSecret: () => string;
  readonly newTrackingId: () => string;
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

/**
 * Creates the bootstrap client, an application with every scope, when the store has no client at all. When the store has
 * clients, the environment decides: with id and secret it also creates the client when it is missing, and a secret that is
 * none of the client's becomes its secret. What has no effect is said in the log.
 */
export async function prepareBootstrapClient(deps: BootstrapClientDeps): Promise<void> {
  try {
    await prepare(deps);
  } catch (error) {
    if (!(error instanceof TenantRemoved)) throw error;
    deps.log.warn({ tenant: error.tenant }, MESSAGES.removed);
  }
}

async function prepare(deps: BootstrapClientDeps): Promise<void> {
  const { clients, config, log } = deps;
  const { tenant, bootstrapClientId, bootstrapClientSecret: clientSecret } = config;
  if (!(await clients.hasAny()) && (await createFirst(deps))) return;
  if (clientSecret === null) {
    if (bootstrapClientId !== null && (await clients.findForToken(bootstrapClientId)) === null)
      log.warn({ tenant, clientId: bootstrapClientId }, MESSAGES.idWithoutSecret);
    return;
  }
  const clientId = bootstrapClientId ?? (await findOnlyId(deps));
  if (clientId === null) log.warn({ tenant }, MESSAGES.secretWithoutId);
  // Processes that start at the same time find the same, and one of them changes it.
  else while ((await settle(deps, { tenant, clientId, clientSecret })) === 'again');
}

const MESSAGES = {
  removed:
    'TENANT is being removed, and its name is taken until nothing of it is left: start again then to make its bootstrap client',
  created: 'the client that BOOTSTRAP_CLIENT_ID names was missing and was created',
  replaced:
    'BOOTSTRAP_CLIENT_SECRET was another one than that of the bootstrap client and has replaced it: the old secret and its tokens have ended',
  previous:
    'BOOTSTRAP_CLIENT_SECRET is a secret that was rotated and still valid: set the new one before it ends, or it replaces the new one at the next start',
  idWithoutSecret:
    'BOOTSTRAP_CLIENT_ID has no effect, as it names no client: with BOOTSTRAP_CLIENT_SECRET too, the client is created',
  secretWithoutId:
    'BOOTSTRAP_CLIENT_SECRET has no effect, as TENANT has none or several bootstrap clients: set BOOTSTRAP_CLIENT_ID too',
  another:
    'BOOTSTRAP_CLIENT_SECRET has no effect, as BOOTSTRAP_CLIENT_ID names a client that is no bootstrap client of TENANT',
};

/** False when another process was first. */
async function createFirst({ clients, config, secrets, keep, ...deps }: BootstrapClientDeps): Promise<boolean> {
  const { tenant, bootstrapClientId, bootstrapClientSecret } = config;
  const clientId = bootstrapClientId ?? deps.newId();
  const clientSecret = bootstrapClientSecret ?? deps.newSecret();
  const isGenerated = bootstrapClientId === null || bootstrapClientSecret === null;
  const kept = isGenerated ? await keep({ clientId, clientSecret, tenant }) : null;
  const secretHash = await secrets.hash(clientSecret, { tenant, clientId }, null);
  const first = { tenant, id: clientId, name: NAME, created: deps.now().toISOString(), secretHash };
  const isCreated = await clients.createFirst(first).catch(async (error) => {
    if (error instanceof TenantRemoved) await kept?.discard();
    throw error;
  });
  await (isCreated ? kept?.confirm() : kept?.discard());
  return isCreated;
}

/** What `resetBootstrapClient` needs. */
export type ResetDeps = Omit<BootstrapClientDeps, 'config' | 'log' | 'keep'>;

/** A client that was reset. */
export interface ResetClient extends BootstrapCredentials {
  /** Whether it was missing, and was made. */
  readonly isCreated: boolean;
}

/**
 * Gives the bootstrap client of a tenant a new secret, with which the old one and its tokens end; makes the client where it is
 * missing. `clientId` is null for the only one. Fails, with a text, where the id does not say which client is meant.
 */
export async function resetBootstrapClient(
  deps: ResetDeps,
  given: { readonly tenant: string; readonly clientId: string | null },
): Promise<Result<ResetClient, string>> {
  try {
    return await reset(deps, given);
  } catch (error) {
    if (!(error instanceof TenantRemoved)) throw error;
    return fail(`The tenant ${error.tenant} is being removed, and its name is taken until nothing of it is left.`);
  }
}

async function reset(
  deps: ResetDeps,
  { tenant, clientId: given }: Parameters<typeof resetBootstrapClient>[1],
): Promise<Result<ResetClient, string>> {
  const { clients, now } = deps;
  const ids = await clients.findBootstrapIds(tenant);
  if (given === null && ids.length > 1) return fail(`The tenant ${tenant} has several bootstrap clients: which one?`);
  const credentials = { tenant, clientId: given ?? ids[0] ?? deps.newId(), clientSecret: deps.newSecret() };
  for (;;) {
    const client = await createFindClient(clients, now)(credentials.clientId);
    if (client !== null && (client.tenant !== tenant || !client.isBootstrap))
      return fail(`${credentials.clientId} is a client, but no bootstrap client of the tenant ${tenant}.`);
    const isDone =
      client === null ? await createMissing(deps, credentials) : await replaceSecret(deps, credentials, client);
    if (isDone) return ok({ ...credentials, isCreated: client === null });
  }
}

const NAME = 'Bootstrap client';

async function findOnlyId({ clients, config }: BootstrapClientDeps): Promise<string | null> {
  const [id, another] = await clients.findBootstrapIds(config.tenant);
  return id === undefined || another !== undefined ? null : id;
}

/** Makes the client what the credentials say; `again` when another process has changed it meanwhile. */
async function settle(deps: BootstrapClientDeps, credentials: BootstrapCredentials): Promise<'done' | 'again'> {
  const { clients, secrets, log, now } = deps;
  const { tenant, clientId, clientSecret } = credentials;
  const findClient = createFindClient(clients, now);
  const client = await findClient(clientId);
  const fields = { tenant, clientId };
  if (client === null) {
    if (!(await createMissing(deps, credentials))) return 'again';
    log.warn(fields, MESSAGES.created);
    return 'done';
  }
  if (client.tenant !== tenant || !client.isBootstrap) {
    log.warn(fields, MESSAGES.another);
    return 'done';
  }
  const proven = await secrets.authenticate({ clientId, secret: clientSecret, address: 'start' }, findClient);
  if (typeof proven === 'string') {
    if (!(await replaceSecret(deps, credentials, client))) return 'again';
    log.warn(fields, MESSAGES.replaced);
    return 'done';
  }
  const used = proven.client.secrets.find(({ version }) => version === proven.secretVersion);
  if (used !== undefined && used.endsMs !== null)
    log.warn({ ...fields, ends: new Date(used.endsMs).toISOString() }, MESSAGES.previous);
  return 'done';
}

/** False when another process has created it. */
async function createMissing(
  { clients, secrets, ...deps }: ResetDeps,
  { tenant, clientId, clientSecret }: BootstrapCredentials,
): Promise<boolean> {
  const secretHash = await secrets.hash(clientSecret, { tenant, clientId }, null);
  const context = systemContext(deps, tenant, 'create-bootstrap-client');
  return clients.createBootstrap(context, { tenant, id: clientId, name: NAME, created: context.time, secretHash });
}

/** False when another process has changed the client. */
async function replaceSecret(
  { clients, secrets, ...deps }: ResetDeps,
  { tenant, clientId, clientSecret }: BootstrapCredentials,
  found: ClientWithSecrets,
): Promise<boolean> {
  const present = found.secrets[0];
  const hash = await secrets.hash(clientSecret, { tenant, clientId }, present?.hash ?? null);
  const replaced = await clients.replaceSecret(systemContext(deps, tenant, 'replace-bootstrap-secret'), clientId, {
    hash,
    previousEndsMs: null,
    decide: ({ client, version }) =>
      client.created === found.created && version === present?.version
        ? ok(null)
        : fail(failure('Conflict', '', 'the client has changed')),
  });
  return replaced.ok;
}

/** The service itself acts, by the configuration of its operator. */
export const systemContext = (
  { now, newTrackingId }: Pick<BootstrapClientDeps, 'now' | 'newTrackingId'>,
  tenant: string,
  operation: string,
): AuditContext => ({
  tenant,
  actor: { clientId: 'system', identityId: null },
  operation,
  time: now().toISOString(),
  trackingId: newTrackingId(),
});
