import {
  type AuditContext,
  type Capability,
  CLIENT_ADMINISTRATION_SCOPE,
  fail,
  failure,
  lackedByMaker,
  type NotFound,
  newEvent,
  ok,
  type Result,
  SCOPES,
} from '@access-admin/domain';
import type { ExpressionBuilder, Kysely, Transaction } from 'kysely';
import { LRUCache } from 'lru-cache';
import { type Change, type Failed, type Removal, unconditional, underPrecondition } from '../../engine/change.ts';
import type { MaybePromise } from '../../engine/concurrency/maybe-promise.ts';
import type { Database, Reads, ReadsAndWrites } from '../../engine/database.ts';
import { TenantRemoved } from '../../engine/errors.ts';
import { cacheRead } from '../../engine/read-cache.ts';
import { changeScope, tenantScope } from '../../engine/scope.ts';
import type { Page } from '../../query/page.ts';
import { countRows } from '../../query/total.ts';
import { recordChange } from '../../record/audit/append-event.ts';
import { appendEvents } from '../../record/events/append-events.ts';
import { isPresent } from '../../record/tenants/is-present.ts';
import { findTenant } from '../../record/tenants/store.ts';
import { ensureTenant } from '../../record/tenants/versions.ts';
import type { OauthClientRow, Tables } from '../../schema/tables.ts';
import { deleteTokensOfClients } from './bearer-tokens.ts';
import { capabilitiesFor, findCallingClient, findIdentityRights, parseMaker } from './calling.ts';
import {
  type CallingClient,
  type Client,
  type ClientSecret,
  type ClientView,
  type ClientWithSecrets,
  type NewClient,
  type SecretReplacement,
  showClient,
  showUsedClient,
} from './client.ts';
import { clientToRow, rowToClient, scopesOf } from './codec.ts';
import { findTenantOfId, findTenantsOfIds, reserveId } from './ids.ts';
import { recordClientOrigin } from './origins.ts';

export interface ClientStore {
  /**
   * Stores the client and creates its tenant if it is new. In another tenant it is recorded in both logs, first in that of the
   * caller's tenant: a failure leaves a record of what was tried, and never a client that is not recorded. `tenantCreated` when
   * it is the first of a new tenant, `identityGone` when the tenant has no identity `identityId`.
   */
  create(auditContext: AuditContext, client: NewClient): Promise<CreationOutcome>;
  /** Whether the store has any client, of any tenant. */
  hasAny(): Promise<boolean>;
  /**
   * Stores the bootstrap client, which has every scope of the running version, only when the store has no client at all;
   * false otherwise. Of concurrent starts with one tenant, one stores it.
   */
  createFirst(client: NewBootstrapClient): Promise<boolean>;
  /** Stores a bootstrap client beside other clients, and records it; false when a client of any tenant has its id. */
  createBootstrap(auditContext: AuditContext, client: NewBootstrapClient): Promise<boolean>;
  /** The ids of bootstrap clients of the tenant, at most two of them. */
  findBootstrapIds(tenant: string): Promise<readonly string[]>;
  find(tenant: string, id: string): Promise<Client | null>;
  /** Finds a client of any tenant, for the token endpoint; none of a tenant that is being removed. */
  findForToken(id: string): Promise<ClientWithSecrets | null>;
  list(tenant: string, page: Page): Promise<readonly Client[]>;
  count(tenant: string): Promise<number>;
  /** Reads, decides and stores name and scopes in one transaction; a failure of the decision changes nothing. */
  change<F extends Failed, G extends Failed = never>(
    auditContext: AuditContext,
    id: string,
    change: Change<Client, ClientView, F, G>,
  ): Promise<Result<Client, F | G | NotFound>>;
  /**
   * Reads, decides and gives the client another secret in one transaction, which records it. Its caller knows the secret, so
   * this ties as a creation does.
   */
  replaceSecret<F extends Failed, G extends Failed = never>(
    auditContext: AuditContext,
    id: string,
    replacement: SecretReplacement<F, G>,
  ): Promise<Result<Client, F | G | NotFound>>;
  /** Reads, decides and deletes in one transaction. */
  delete<F extends Failed, G extends Failed = never>(
    auditContext: AuditContext,
    id: string,
    removal?: Removal<Client, ClientView, F, G>,
  ): Promise<Result<null, F | G | NotFound>>;
  /** Read on every request; null when the client was deleted. */
  findCaller(tenant: string, clientId: string): MaybePromise<CallingClient | null>;
  /** Stores that the client was used within an hour (ISO 8601), unless it was used later. */
  noteUse(tenant: string, clientId: string, hour: string): Promise<void>;
  /**
   * Capabilities of an identity, for tokens of an external issuer; null when there is none, or it was created after the second of
   * `issuedMs`: a token is never that of a later identity with the same id.
   */
  findCapabilities(tenant: string, identityId: string, issuedMs?: number): MaybePromise<readonly Capability[] | null>;
}

export type CreationOutcome = 'created' | 'tenantCreated' | 'identityGone';

/** The bootstrap client to store: an application that has every scope. */
type NewBootstrapClient = Omit<NewClient, 'scopes' | 'identityId' | 'isSessionBound'>;

export function createClientStore(database: Database): ClientStore {
  const { read, epochOf } = database;
  const findRights = cacheRead(epochOf, (tenant, id) => read((db) => findIdentityRights(db, tenant, id)));
  return {
    ...clientWrites(database),
    ...bootstrapWrites(database),
    ...clientChanges(database),
    ...secretWrites(database),
    ...clientReads(database),
    noteUse: async (tenant, id, hour) => {
      await database.write({ tenant, changes: 'clientUse' }, (trx) =>
        trx
          .updateTable('oauth_client')
          .set({ last_used: hour })
          .where('tenant', '=', tenant)
          .where('id', '=', id)
          .where((eb) => eb.or([eb('last_used', 'is', null), eb('last_used', '<', hour)]))
          .execute(),
      );
    },
    findCaller: cacheRead(epochOf, (tenant, id) => read((db) => findCallingClient(db, tenant, id))),
    findCapabilities: (tenant, identityId, issuedMs) => {
      const found = findRights(tenant, identityId);
      return found instanceof Promise
        ? found.then((rights) => capabilitiesFor(rights, issuedMs))
        : capabilitiesFor(found, issuedMs);
    },
  };
}

function clientWrites({ hold }: Database): Pick<ClientStore, 'create'> {
  const create = async (
    database: ReadsAndWrites,
    auditContext: AuditContext,
    client: NewClient,
  ): Promise<CreationOutcome> => {
    const isOfCaller = auditContext.tenant === client.tenant;
    const after = showClient({ ...client, isBootstrap: false });
    const recorded = { resource: { type: 'OAUTH_CLIENT', id: client.id }, before: null, after } as const;
    if (!isOfCaller) {
      const present = await database.read((db) => findTenant(db, client.tenant));
      if (present?.removal) throw new TenantRemoved(client.tenant);
      if (await database.read((db) => isIdentityGone(db, client))) return 'identityGone';
    }
    if (!(await reserveId(database, client))) throw new Error('A client of another tenant has the id of a new one.');
    // A write of its own: the logs of two tenants may be on two servers.
    if (!isOfCaller)
      await database.write(changeScope(auditContext, 'auditLog'), (trx) =>
        recordChange(trx, { auditContext, ...recorded }),
      );
    return database.write(isOfCaller ? changeScope(auditContext) : tenantScope(client.tenant), async (trx) => {
      if (await isIdentityGone(trx, client)) return 'identityGone';
      const isTenantNew = await ensureTenant(trx, client.tenant, client.created);
      const maker_capabilities = isOfCaller ? await readMaker(trx, auditContext, client) : null;
      await trx
        .insertInto('oauth_client')
        .values({ ...clientToRow(client), maker_capabilities })
        .execute();
      await recordClientOrigin(trx, auditContext, client);
      await recordChange(trx, {
        ...recorded,
        auditContext: { ...auditContext, tenant: client.tenant },
        members: client.identityId === null ? [] : [client.identityId],
      });
      await appendEvents(trx, client.tenant, [
        newEvent('oauth-client.created', client.id, { time: client.created, data: { ...after, lastUsed: null } }),
      ]);
      return isTenantNew ? 'tenantCreated' : 'created';
    });
  };
  return { create: (auditContext, client) => hold((database) => create(database, auditContext, client)) };
}

/** The capabilities of an identity that learns a secret of a client that acts as one, as they are stored; null where nobody is compared. */
async function readMaker(
  trx: Transaction<Tables>,
  { tenant, actor }: AuditContext,
  { identityId }: Pick<Client, 'identityId'>,
): Promise<string | null> {
  if (identityId === null || actor.identityId === null) return null;
  const maker = await trx
    .selectFrom('identity')
    .select('capabilities')
    .where('tenant', '=', tenant)
    .where('id', '=', actor.identityId)
    .executeTakeFirst();
  return maker?.capabilities ?? NO_CAPABILITIES;
}

const NO_CAPABILITIES = '[]';

async function isIdentityGone(db: Kysely<Tables>, { tenant, identityId }: NewClient): Promise<boolean> {
  if (identityId === null) return false;
  const identity = db.selectFrom('identity').select('id').where('tenant', '=', tenant).where('id', '=', identityId);
  return (await identity.executeTakeFirst()) === undefined;
}

function bootstrapWrites({ hold }: Database): Pick<ClientStore, 'hasAny' | 'createFirst' | 'createBootstrap'> {
  return {
    hasAny: () => hold(hasAnyClient),
    createFirst: (client) =>
      hold(async (database) => {
        if ((await hasAnyClient(database)) || !(await reserveId(database, client))) return false;
        return database.write(tenantScope(client.tenant), async (trx) =>
          (await hasClient(trx, client.tenant)) ? false : insertBootstrap(trx, client),
        );
      }),
    createBootstrap: (auditContext, client) =>
      hold(async (database) => {
        if (!(await reserveId(database, client))) return false;
        return database.write(changeScope(auditContext), async (trx) => {
          if (!(await insertBootstrap(trx, client))) return false;
          const { tenant, id, created: time } = client;
          const after = showClient({ ...client, scopes: SCOPES, identityId: null, isBootstrap: true });
          await recordChange(trx, { auditContext, resource: { type: 'OAUTH_CLIENT', id }, before: null, after });
          await appendEvents(trx, tenant, [
            newEvent('oauth-client.created', id, { time, data: { ...after, lastUsed: null } }),
          ]);
          return true;
        });
      }),
  };
}

/** Looks for a client of each tenant: an id alone may be that of a client that was deleted or never stored. */
async function hasAnyClient({ read }: Reads): Promise<boolean> {
  for (const tenant of await read(findTenantsOfIds)) if (await read((db) => hasClient(db, tenant))) return true;
  return false;
}

async function hasClient(db: Kysely<Tables>, tenant: string): Promise<boolean> {
  const any = db.selectFrom('oauth_client').select('id').where('tenant', '=', tenant).limit(1);
  return (await any.executeTakeFirst()) !== undefined;
}

/** False when the tenant has a client of its id. */
async function insertBootstrap(trx: Transaction<Tables>, client: NewBootstrapClient): Promise<boolean> {
  // A client that is there is no change, which would be refused.
  if ((await findTenant(trx, client.tenant))?.removal) throw new TenantRemoved(client.tenant);
  await ensureTenant(trx, client.tenant, client.created);
  const row = clientToRow({ ...client, scopes: SCOPES, identityId: null });
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('oauth_client')
    .values({ ...row, is_bootstrap: 1 })
    .onConflict((conflict) => conflict.columns(['tenant', 'id']).doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

function clientChanges(database: Database): Pick<ClientStore, 'change' | 'delete'> {
  return {
    change: (auditContext, id, { precondition = unconditional, decide }) =>
      database.write(changeScope(auditContext), async (trx) => {
        const { tenant } = auditContext;
        const view = await findView(trx, tenant, id);
        if (view === null) return fail(NO_CLIENT);
        const decision = underPrecondition(precondition(view.client), decide(view));
        if (!decision.ok) return decision;
        const { name, scopes, isSessionBound } = decision.value;
        if (name === view.client.name && scopes.join() === view.client.scopes.join()) return decision;
        await trx
          .updateTable('oauth_client')
          .set({ name, scopes: JSON.stringify(scopes), is_session_bound: Number(isSessionBound) })
          .where('tenant', '=', tenant)
          .where('id', '=', id)
          .execute();
        const resource = { type: 'OAUTH_CLIENT', id } as const;
        const before = showClient(view.client);
        const after = showClient(decision.value);
        await recordChange(trx, { auditContext, resource, before, after });
        return decision;
      }),
    delete: (auditContext, id, { precondition = unconditional, decide = unconditional } = {}) =>
      database.write(changeScope(auditContext), async (trx) => {
        const { tenant } = auditContext;
        const view = await findView(trx, tenant, id);
        if (view === null) return fail(NO_CLIENT);
        const decision = underPrecondition(precondition(view.client), decide(view));
        if (!decision.ok) return decision;
        await trx.deleteFrom('oauth_client').where('tenant', '=', tenant).where('id', '=', id).execute();
        await deleteTokensOfClients(trx, tenant, [id]);
        const resource = { type: 'OAUTH_CLIENT', id } as const;
        await recordChange(trx, { auditContext, resource, before: showClient(view.client), after: null });
        const data = showUsedClient(view.client);
        await appendEvents(trx, tenant, [newEvent('oauth-client.deleted', id, { time: auditContext.time, data })]);
        return ok(null);
      }),
  };
}

function secretWrites(database: Database): Pick<ClientStore, 'replaceSecret'> {
  return {
    replaceSecret: (
      auditContext,
      id,
      { hash, previousEndsMs, isSessionBound = false, precondition = unconditional, decide },
    ) =>
      database.write(changeScope(auditContext), async (trx) => {
        const { tenant } = auditContext;
        const row = await findRow(trx, tenant, id);
        if (row === undefined) return fail(NO_CLIENT);
        const client = rowToClient(row);
        const { identityId } = client;
        const decision = underPrecondition(precondition(client), decide({ client, version: row.secret_version }));
        if (!decision.ok) return decision;
        const secretVersion = row.secret_version + 1;
        await trx
          .updateTable('oauth_client')
          .set({
            secret_hash: hash,
            secret_version: secretVersion,
            previous_secret_hash: previousEndsMs === null ? null : row.secret_hash,
            previous_secret_ends_ms: previousEndsMs,
            maker_capabilities: await readMaker(trx, auditContext, client),
            previous_maker_capabilities: previousEndsMs === null ? null : row.maker_capabilities,
            is_session_bound: isSessionBound ? 1 : row.is_session_bound,
          })
          .where('tenant', '=', tenant)
          .where('id', '=', id)
          .execute();
        await recordClientOrigin(trx, auditContext, client);
        const previousSecretEnds = previousEndsMs === null ? null : new Date(previousEndsMs).toISOString();
        await recordChange(trx, {
          auditContext,
          resource: { type: 'OAUTH_CLIENT', id },
          // The secret itself is not recorded.
          before: { secretVersion: row.secret_version, previousSecretEnds: null },
          after: { secretVersion, previousSecretEnds },
          members: identityId === null ? [] : [identityId],
        });
        return ok(client);
      }),
  };
}

const NO_CLIENT: NotFound = failure('NotFound', '', 'There is no such client.');

async function findView(trx: Transaction<Tables>, tenant: string, id: string): Promise<ClientView | null> {
  const row = await findRow(trx, tenant, id);
  if (row === undefined) return null;
  const administrators = await findAdministrators(trx, tenant);
  const isLastAdministrator = administrators.length === 1 && administrators[0] === id;
  const scopesHeldAlone = await findScopesHeldAlone(trx, row);
  return {
    client: rowToClient(row),
    standing: { isBootstrap: row.is_bootstrap === 1, isLastAdministrator, scopesHeldAlone },
  };
}

/** The scopes of an application, among those of the running version, that no other application of its tenant has. */
async function findScopesHeldAlone(trx: Transaction<Tables>, row: OauthClientRow): Promise<readonly string[]> {
  if (row.identity_id !== null) return [];
  const known: readonly string[] = SCOPES;
  const alone: string[] = [];
  // Each application that is found leaves out all of its scopes, so that one statement is enough where another has them all.
  for (let open = scopesOf(row).filter((scope) => known.includes(scope)); ; ) {
    const [scope, ...others] = open;
    if (scope === undefined) return alone;
    const found = await trx
      .selectFrom('oauth_client')
      .select(['scopes', 'is_bootstrap'])
      .where('tenant', '=', row.tenant)
      .where('id', '<>', row.id)
      .where('identity_id', 'is', null)
      .where(hasScope(scope))
      .limit(1)
      .executeTakeFirst();
    if (found === undefined) alone.push(scope);
    const held: readonly string[] = found === undefined ? [] : scopesOf(found);
    open = others.filter((other) => !held.includes(other));
  }
}

const hasScope =
  (scope: string) =>
  ({ eb, or }: ExpressionBuilder<Tables, 'oauth_client'>) =>
    or([eb('is_bootstrap', '=', 1), eb('scopes', 'like', `%"${scope}"%`)]);

const findRow = (db: Kysely<Tables>, tenant: string, id: string): Promise<OauthClientRow | undefined> =>
  db.selectFrom('oauth_client').selectAll().where('tenant', '=', tenant).where('id', '=', id).executeTakeFirst();

/**
 * The clients that can administer the clients of the tenant: with the scope for it and, when they act as an identity, with one
 * that is active and has `ORG_ADMIN` and nothing that the maker of the client lacked.
 */
async function findAdministrators(trx: Transaction<Tables>, tenant: string): Promise<readonly string[]> {
  const rows = await trx
    .selectFrom('oauth_client as client')
    .leftJoin('identity', (join) =>
      join.onRef('identity.tenant', '=', 'client.tenant').onRef('identity.id', '=', 'client.identity_id'),
    )
    .select(['client.id', 'client.maker_capabilities', 'identity.capabilities'])
    .where('client.tenant', '=', tenant)
    .where((eb) =>
      eb.or([eb('client.is_bootstrap', '=', 1), eb('client.scopes', 'like', `%"${CLIENT_ADMINISTRATION_SCOPE}"%`)]),
    )
    .where((eb) =>
      eb.or([
        eb('client.identity_id', 'is', null),
        eb.and([eb('identity.is_org_admin', '=', 1), eb('identity.active', '=', 1)]),
      ]),
    )
    .execute();
  return rows.flatMap(({ id, maker_capabilities, capabilities }) =>
    lackedByMaker(parseMaker(capabilities) ?? [], parseMaker(maker_capabilities)) === null ? id : [],
  );
}

function clientReads(
  database: Database,
): Pick<ClientStore, 'findBootstrapIds' | 'find' | 'findForToken' | 'list' | 'count'> {
  return {
    findBootstrapIds: async (tenant) => {
      const rows = await database.read((db) =>
        db
          .selectFrom('oauth_client')
          .select('id')
          .where('tenant', '=', tenant)
          .where('is_bootstrap', '=', 1)
          .limit(2)
          .execute(),
      );
      return rows.map(({ id }) => id);
    },
    find: async (tenant, id) => {
      const row = await database.read((db) => findRow(db, tenant, id));
      return row === undefined ? null : rowToClient(row);
    },
    findForToken: createFindForToken(database),
    list: async (tenant, { limit, offset }) => {
      const rows = await database.read((db) =>
        db
          .selectFrom('oauth_client')
          .selectAll()
          .where('tenant', '=', tenant)
          .orderBy('id')
          .limit(limit)
          .offset(offset)
          .execute(),
      );
      return rows.map(rowToClient);
    },
    count: (tenant) => database.read((db) => countRows(db.selectFrom('oauth_client').where('tenant', '=', tenant))),
  };
}

const TENANTS_KEPT_MAX = 10_000;

/** Keeps the tenants of ids: one that has the client is the right one. */
function createFindForToken({ hold }: Database): ClientStore['findForToken'] {
  // With `max`, room for all of them would be taken at once.
  const tenants = new LRUCache<string, string>({ maxSize: TENANTS_KEPT_MAX, sizeCalculation: () => 1 });
  const find = async ({ read }: Reads, id: string): Promise<ClientWithSecrets | null> => {
    const kept = tenants.get(id);
    const found = kept === undefined ? undefined : await read((db) => findPresent(db, kept, id));
    if (found !== undefined) return rowToClientWithSecrets(found);
    const tenant = await read((db) => findTenantOfId(db, id));
    if (tenant === null || tenant === kept) return null;
    const row = await read((db) => findPresent(db, tenant, id));
    if (row === undefined) return null;
    tenants.set(id, tenant);
    return rowToClientWithSecrets(row);
  };
  return (id) => hold((held) => find(held, id));
}

/** None of a tenant that is being removed. */
const findPresent = (db: Kysely<Tables>, tenant: string, id: string): Promise<OauthClientRow | undefined> =>
  db
    .selectFrom('oauth_client')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('id', '=', id)
    .where(isPresent(tenant))
    .executeTakeFirst();

const rowToClientWithSecrets = (row: OauthClientRow): ClientWithSecrets => ({
  ...rowToClient(row),
  secrets: secretsOf(row),
});

/** The present secret first. */
function secretsOf(row: OauthClientRow): readonly ClientSecret[] {
  const { secret_version: version, previous_secret_hash: previous, previous_secret_ends_ms: endsMs } = row;
  const present = { version, hash: row.secret_hash, endsMs: null };
  return previous === null || endsMs === null ? [present] : [present, { version: version - 1, hash: previous, endsMs }];
}
