import { type AuditContext, type Capability, SCOPES } from '@access-admin/domain';
import { recordChange } from '../audit/append-event.ts';
import type { Database, MaybePromise } from '../engine/database.ts';
import type { HotReads, HotRows } from '../engine/hot-reads.ts';
import { parseCapabilities } from '../rows/identity-codec.ts';
import type { Page } from '../rows/page.ts';
import { ensureTenant } from '../rows/tenant.ts';
import type { OauthClientRow } from '../schema/tables.ts';

/** A registered client of the token endpoint. */
export interface Client {
  readonly tenant: string;
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  /** The identity that the client acts as; null for an application. */
  readonly identityId: string | null;
  readonly created: string;
}

/** A client with the hash of its secret, in a form that only the API understands. */
export interface ClientWithSecret extends Client {
  readonly secretHash: string;
}

/** The current data of a caller for authorization. */
export interface CallerRights {
  /** Null for an application. */
  readonly identityId: string | null;
  /** Null when the identity of the client was deleted; empty for an application. */
  readonly capabilities: readonly Capability[] | null;
}

/** The current data of a client that calls. */
export interface CallingClient extends CallerRights {
  readonly scopes: ReadonlySet<string>;
  /** Tells the client from another one that had the same id. */
  readonly created: string;
}

export interface ClientStore {
  /** Stores the client and creates its tenant if it is new. `identityGone` when the tenant has no identity `identityId`. */
  create(auditContext: AuditContext, client: ClientWithSecret): Promise<'created' | 'identityGone'>;
  /** Whether the store has any client, of any tenant. */
  hasAny(): Promise<boolean>;
  /**
   * Stores the bootstrap client, which has every scope of the running version, only when the store has no client at all;
   * false otherwise. Safe under concurrent starts.
   */
  createFirst(client: Omit<ClientWithSecret, 'scopes' | 'identityId'>): Promise<boolean>;
  find(tenant: string, id: string): Promise<Client | null>;
  /** Finds a client of any tenant, for the token endpoint. */
  findForToken(id: string): Promise<ClientWithSecret | null>;
  list(tenant: string, page: Page): Promise<readonly Client[]>;
  count(tenant: string): Promise<number>;
  delete(auditContext: AuditContext, id: string): Promise<boolean>;
  /** Read on every request; null when the client was deleted. */
  findCaller(tenant: string, clientId: string): MaybePromise<CallingClient | null>;
  /** Capabilities of an identity, for tokens of an external issuer; null when there is no such identity. */
  findCapabilities(tenant: string, identityId: string): MaybePromise<readonly Capability[] | null>;
}

export function createClientStore(database: Database, hotReads: HotReads): ClientStore {
  return {
    ...clientWrites(database),
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
  const client = { identityId, scopes: new Set(scopesOf(row)), created };
  if (identityId === null) return { ...client, capabilities: [] };
  return { ...client, capabilities: capabilities === null ? null : parseCapabilities(capabilities) };
}

const scopesOf = ({ scopes, is_bootstrap }: Pick<OauthClientRow, 'scopes' | 'is_bootstrap'>): readonly string[] =>
  is_bootstrap === 1 ? SCOPES : JSON.parse(scopes);

function clientWrites(database: Database): Pick<ClientStore, 'create' | 'createFirst' | 'delete'> {
  return {
    create: (auditContext, client) =>
      database.write(client, async (trx) => {
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
        const { secretHash: _, ...after } = client;
        await recordChange(trx, {
          auditContext,
          resource: { type: 'OAUTH_CLIENT', id: client.id },
          before: null,
          after,
        });
        return 'created';
      }),
    createFirst: (client) =>
      database.write('shared', async (trx) => {
        const any = await trx.selectFrom('oauth_client').select('id').limit(1).executeTakeFirst();
        if (any !== undefined) return false;
        await ensureTenant(trx, client.tenant, client.created);
        const bootstrap = clientToRow({ ...client, scopes: SCOPES, identityId: null });
        await trx
          .insertInto('oauth_client')
          .values({ ...bootstrap, is_bootstrap: 1 })
          .execute();
        return true;
      }),
    delete: (auditContext, id) =>
      database.write(auditContext, async (trx) => {
        const row = await trx
          .deleteFrom('oauth_client')
          .where('tenant', '=', auditContext.tenant)
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirst();
        if (row === undefined) return false;
        const resource = { type: 'OAUTH_CLIENT', id } as const;
        await recordChange(trx, { auditContext, resource, before: rowToClient(row), after: null });
        return true;
      }),
  };
}

function clientReads(database: Database): Pick<ClientStore, 'hasAny' | 'find' | 'findForToken' | 'list' | 'count'> {
  return {
    hasAny: async () =>
      (await database.read((db) => db.selectFrom('oauth_client').select('id').limit(1).executeTakeFirst())) !==
      undefined,
    find: async (tenant, id) => {
      const row = await database.read((db) =>
        db.selectFrom('oauth_client').selectAll().where('tenant', '=', tenant).where('id', '=', id).executeTakeFirst(),
      );
      return row === undefined ? null : rowToClient(row);
    },
    findForToken: async (id) => {
      const row = await database.read((db) =>
        db.selectFrom('oauth_client').selectAll().where('id', '=', id).executeTakeFirst(),
      );
      return row === undefined ? null : { ...rowToClient(row), secretHash: row.secret_hash };
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

const clientToRow = (client: ClientWithSecret): OauthClientRow => ({
  tenant: client.tenant,
  id: client.id,
  name: client.name,
  scopes: JSON.stringify(client.scopes),
  identity_id: client.identityId,
  secret_hash: client.secretHash,
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
});
