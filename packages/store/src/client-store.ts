import { recordChange } from './append-audit-event.ts';
import type { Database, HotReads } from './database.ts';
import type { Client, ClientStore, ClientWithSecret } from './store.ts';
import type { OauthClientRow } from './tables.ts';
import { ensureTenant } from './tenant.ts';

type HotClientReads = Pick<HotReads, 'findCaller' | 'findCapabilities'>;

export function createClientStore(database: Database, { findCaller, findCapabilities }: HotClientReads): ClientStore {
  return { ...clientWrites(database), ...clientReads(database), findCaller, findCapabilities };
}

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
        await trx.insertInto('oauth_client').values(clientToRow(client)).execute();
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
});

const rowToClient = (row: OauthClientRow): Client => ({
  tenant: row.tenant,
  id: row.id,
  name: row.name,
  scopes: JSON.parse(row.scopes),
  identityId: row.identity_id,
  created: row.created,
});
