import {
  type AuditContext,
  type Capability,
  CLIENT_ADMINISTRATION_SCOPE,
  fail,
  failure,
  type NotFound,
  newEvent,
  ok,
  type Result,
  SCOPES,
} from '@access-admin/domain';
import type { ExpressionBuilder, Kysely, Transaction } from 'kysely';
import { parseCapabilities } from '../access-model/records/identity-codec.ts';
import { recordChange } from '../audit/append-event.ts';
import type { MaybePromise } from '../concurrency/maybe-promise.ts';
import { type Change, type Failed, type Removal, unconditional, underPrecondition } from '../engine/change.ts';
import type { Database } from '../engine/database.ts';
import type { HotReads, HotRows } from '../engine/hot-reads.ts';
import { tenantScope } from '../engine/scope.ts';
import { appendEvents } from '../events/append-events.ts';
import type { Page } from '../query/page.ts';
import type { OauthClientRow, Tables } from '../schema/tables.ts';
import { ensureTenant } from '../tenants/versions.ts';
import {
  type CallingClient,
  type Client,
  type ClientSecret,
  type ClientView,
  type ClientWithSecrets,
  type NewClient,
  type SecretReplacement,
  showClient,
} from './client.ts';
import { recordClientOrigin } from './origins.ts';

export interface ClientStore {
  /** Stores the client and creates its tenant if it is new. In another tenant it is recorded in both logs. `identityGone` when the tenant has no identity `identityId`. */
  create(auditContext: AuditContext, client: NewClient): Promise<'created' | 'identityGone'>;
  /** Whether the store has any client, of any tenant. */
  hasAny(): Promise<boolean>;
  /**
   * Stores the bootstrap client, which has every scope of the running version, only when the store has no client at all;
   * false otherwise. Safe under concurrent starts.
   */
  createFirst(client: NewBootstrapClient): Promise<boolean>;
  /** Stores a bootstrap client beside other clients, and records it; false when a client of any tenant has its id. */
  createBootstrap(auditContext: AuditContext, client: NewBootstrapClient): Promise<boolean>;
  /** The ids of bootstrap clients of the tenant, at most two of them. */
  findBootstrapIds(tenant: string): Promise<readonly string[]>;
  find(tenant: string, id: string): Promise<Client | null>;
  /** Finds a client of any tenant, for the token endpoint. */
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
  /** Capabilities of an identity, for tokens of an external issuer; null when there is no such identity. */
  findCapabilities(tenant: string, identityId: string): MaybePromise<readonly Capability[] | null>;
}

/** The bootstrap client to store: an application that has every scope. */
type NewBootstrapClient = Omit<NewClient, 'scopes' | 'identityId'>;

export function createClientStore(database: Database, hotReads: HotReads): ClientStore {
  return {
    ...clientWrites(database),
    ...bootstrapWrites(database),
    ...clientChanges(database),
    ...secretWrites(database),
    ...clientReads(database),
    findCaller: hotReads.cached('callers', rowToCaller),
    findCapabilities: hotReads.cached('capabilities', (row) =>
      row === undefined ? null : parseCapabilities(row.capabilities),
    ),
  };
}

function rowToCaller(row: HotRows['callers'] | undefined): CallingClient | null {
  if (row === undefined) return null;
  const { identity_id: identityId, capabilities, created } = row;
  const client = {
    identityId,
    scopes: new Set(scopesOf(row)),
    created,
    secretVersion: row.secret_version,
    previousSecretEndsMs: row.previous_secret_ends_ms,
  };
  if (identityId === null) return { ...client, capabilities: [] };
  return { ...client, capabilities: capabilities === null ? null : parseCapabilities(capabilities) };
}

const scopesOf = ({ scopes, is_bootstrap }: Pick<OauthClientRow, 'scopes' | 'is_bootstrap'>): readonly string[] =>
  is_bootstrap === 1 ? SCOPES : JSON.parse(scopes);

function clientWrites(database: Database): Pick<ClientStore, 'create'> {
  return {
    create: (auditContext, client) =>
      database.write(tenantScope(client.tenant), async (trx) => {
        if (client.identityId !== null) {
          const identity = await trx
            .selectFrom('identity')
            .select('id')
            .where('tenant', '=', client.tenant)
            .where('id', '=', client.identityId)
            .executeTakeFirst();
          if (identity === undefined) return 'identityGone';
        }
        await ensureTenant(trx, client.tenant, client.created);
        await trx.insertInto('oauth_client').values(clientToRow(client)).execute();
        await recordClientOrigin(trx, auditContext, client);
        const after = showClient({ ...client, isBootstrap: false });
        const resource = { type: 'OAUTH_CLIENT', id: client.id } as const;
        // In one order, so that two tenants that create clients in each other do not wait for each other.
        for (const tenant of [...new Set([auditContext.tenant, client.tenant])].sort()) {
          const members = client.identityId === null || tenant !== client.tenant ? [] : [client.identityId];
          await recordChange(trx, {
            auditContext: { ...auditContext, tenant },
            resource,
            before: null,
            after,
            members,
          });
        }
        await appendEvents(trx, client.tenant, [
          newEvent('oauth-client.created', client.id, { time: client.created, data: after }),
        ]);
        return 'created';
      }),
  };
}

function bootstrapWrites(database: Database): Pick<ClientStore, 'createFirst' | 'createBootstrap'> {
  return {
    createFirst: (client) =>
      database.write('shared', async (trx) => {
        const any = await trx.selectFrom('oauth_client').select('id').limit(1).executeTakeFirst();
        if (any !== undefined) return false;
        return insertBootstrap(trx, client);
      }),
    createBootstrap: (auditContext, client) =>
      database.write(tenantScope(auditContext.tenant), async (trx) => {
        if (!(await insertBootstrap(trx, client))) return false;
        const { tenant, id, created: time } = client;
        const after = showClient({ ...client, scopes: SCOPES, identityId: null, isBootstrap: true });
        await recordChange(trx, { auditContext, resource: { type: 'OAUTH_CLIENT', id }, before: null, after });
        await appendEvents(trx, tenant, [newEvent('oauth-client.created', id, { time, data: after })]);
        return true;
      }),
  };
}

/** False when a client of any tenant has its id. */
async function insertBootstrap(trx: Transaction<Tables>, client: NewBootstrapClient): Promise<boolean> {
  await ensureTenant(trx, client.tenant, client.created);
  const row = clientToRow({ ...client, scopes: SCOPES, identityId: null });
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('oauth_client')
    .values({ ...row, is_bootstrap: 1 })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

function clientChanges(database: Database): Pick<ClientStore, 'change' | 'delete'> {
  return {
    change: (auditContext, id, { precondition = unconditional, decide }) =>
      database.write(tenantScope(auditContext.tenant), async (trx) => {
        const { tenant } = auditContext;
        const view = await findView(trx, tenant, id);
        if (view === null) return fail(NO_CLIENT);
        const decision = underPrecondition(precondition(view.client), decide(view));
        if (!decision.ok) return decision;
        const { name, scopes } = decision.value;
        if (name === view.client.name && scopes.join() === view.client.scopes.join()) return decision;
        await trx
          .updateTable('oauth_client')
          .set({ name, scopes: JSON.stringify(scopes) })
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
      database.write(tenantScope(auditContext.tenant), async (trx) => {
        const { tenant } = auditContext;
        const view = await findView(trx, tenant, id);
        if (view === null) return fail(NO_CLIENT);
        const decision = underPrecondition(precondition(view.client), decide(view));
        if (!decision.ok) return decision;
        await trx.deleteFrom('oauth_client').where('tenant', '=', tenant).where('id', '=', id).execute();
        const resource = { type: 'OAUTH_CLIENT', id } as const;
        const data = showClient(view.client);
        await recordChange(trx, { auditContext, resource, before: data, after: null });
        await appendEvents(trx, tenant, [newEvent('oauth-client.deleted', id, { time: auditContext.time, data })]);
        return ok(null);
      }),
  };
}

function secretWrites(database: Database): Pick<ClientStore, 'replaceSecret'> {
  return {
    replaceSecret: (auditContext, id, { hash, previousEndsMs, precondition = unconditional, decide }) =>
      database.write(tenantScope(auditContext.tenant), async (trx) => {
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
  const isLastAdministrator = administrators.length === 1 && administrators[0]?.id === id;
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
 * Up to two clients that can administer the clients of the tenant: with the scope for it and, when they act as an identity,
 * with one that exists and has `ORG_ADMIN`.
 */
const findAdministrators = (trx: Transaction<Tables>, tenant: string): Promise<readonly { readonly id: string }[]> =>
  trx
    .selectFrom('oauth_client as client')
    .leftJoin('identity', (join) =>
      join.onRef('identity.tenant', '=', 'client.tenant').onRef('identity.id', '=', 'client.identity_id'),
    )
    .select('client.id')
    .where('client.tenant', '=', tenant)
    .where((eb) =>
      eb.or([eb('client.is_bootstrap', '=', 1), eb('client.scopes', 'like', `%"${CLIENT_ADMINISTRATION_SCOPE}"%`)]),
    )
    .where((eb) => eb.or([eb('client.identity_id', 'is', null), eb('identity.is_org_admin', '=', 1)]))
    .limit(2)
    .execute();

function clientReads(
  database: Database,
): Pick<ClientStore, 'hasAny' | 'findBootstrapIds' | 'find' | 'findForToken' | 'list' | 'count'> {
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
    hasAny: async () =>
      (await database.read((db) => db.selectFrom('oauth_client').select('id').limit(1).executeTakeFirst())) !==
      undefined,
    find: async (tenant, id) => {
      const row = await database.read((db) => findRow(db, tenant, id));
      return row === undefined ? null : rowToClient(row);
    },
    findForToken: async (id) => {
      const row = await database.read((db) =>
        db.selectFrom('oauth_client').selectAll().where('id', '=', id).executeTakeFirst(),
      );
      return row === undefined ? null : { ...rowToClient(row), secrets: secretsOf(row) };
    },
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
    count: async (tenant) => {
      const row = await database.read((db) =>
        db
          .selectFrom('oauth_client')
          .select((eb) => eb.fn.countAll<number>().as('count'))
          .where('tenant', '=', tenant)
          .executeTakeFirstOrThrow(),
      );
      return row.count;
    },
  };
}

/** The present secret first. */
function secretsOf(row: OauthClientRow): readonly ClientSecret[] {
  const { secret_version: version, previous_secret_hash: previous, previous_secret_ends_ms: endsMs } = row;
  const present = { version, hash: row.secret_hash, endsMs: null };
  return previous === null || endsMs === null ? [present] : [present, { version: version - 1, hash: previous, endsMs }];
}

const clientToRow = (client: NewClient): OauthClientRow => ({
  tenant: client.tenant,
  id: client.id,
  name: client.name,
  scopes: JSON.stringify(client.scopes),
  identity_id: client.identityId,
  secret_hash: client.secretHash,
  secret_version: 1,
  previous_secret_hash: null,
  previous_secret_ends_ms: null,
  created: client.created,
  is_bootstrap: 0,
});

const rowToClient = (row: OauthClientRow): Client => ({
  tenant: row.tenant,
  id: row.id,
  name: row.name,
  scopes: scopesOf(row),
  identityId: row.identity_id,
  created: row.created,
  isBootstrap: row.is_bootstrap === 1,
});
