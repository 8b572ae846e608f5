import type { Kysely } from 'kysely';
import type { ReadsAndWrites } from '../../engine/database.ts';
import { insertMissing } from '../../query/insert.ts';
import { isOneOf } from '../../query/one-of.ts';
import type { Tables } from '../../schema/tables.ts';

/** An id of a client, with its tenant. */
interface ClientId {
  readonly tenant: string;
  readonly id: string;
}

/** The tenant that an id is reserved for; null for an unknown id. The client itself may be missing. */
export async function findTenantOfId(db: Kysely<Tables>, id: string): Promise<string | null> {
  const row = await db.selectFrom('oauth_client_tenant').select('tenant').where('id', '=', id).executeTakeFirst();
  return row?.tenant ?? null;
}

/** The tenants that ids are reserved for. */
export async function findTenantsOfIds(db: Kysely<Tables>): Promise<readonly string[]> {
  const rows = await db.selectFrom('oauth_client_tenant').select('tenant').distinct().execute();
  return rows.map(({ tenant }) => tenant);
}

/**
 * Reserves an id before its client is stored; false where a client of another tenant has it. An id that another tenant has no client
 * for was left by a client that was deleted or never stored, and is taken over.
 */
export async function reserveId(database: ReadsAndWrites, { tenant, id }: ClientId): Promise<boolean> {
  const owner = await database.write('clientIds', async (trx) => {
    await insertMissing(trx, 'oauth_client_tenant', [{ id, tenant }]);
    return findTenantOfId(trx, id);
  });
  if (owner === null || owner === tenant) return owner === tenant;
  const [client] = await database.read((db) => findIds(db).where('tenant', '=', owner).where('id', '=', id).execute());
  if (client !== undefined) return false;
  return database.write('clientIds', async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('oauth_client_tenant')
      .set({ tenant })
      .where('id', '=', id)
      .where('tenant', '=', owner)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  });
}

const CLIENTS_AT_ONCE = 1_000;

/**
 * Reserves the ids of all clients that have none reserved, as after a restore of the rows of some tenants alone. Each start does so;
 * where nothing is missing, it only reads.
 */
export async function reserveMissingIds(database: ReadsAndWrites): Promise<void> {
  for (let after: ClientId = { tenant: '', id: '' }; ; ) {
    const clients = await database.read((db) => findClientsAfter(db, after));
    const last = clients.at(-1);
    if (last === undefined) return;
    const ids = clients.map(({ id }) => id);
    const reserved = await database.read((db) =>
      db
        .selectFrom('oauth_client_tenant')
        .select('id')
        .where(isOneOf(db, 'id', ids))
        .execute(),
    );
    const known = new Set(reserved.map(({ id }) => id));
    const missing = clients.filter(({ id }) => !known.has(id));
    if (missing.length > 0)
      await database.write('clientIds', (trx) => insertMissing(trx, 'oauth_client_tenant', missing));
    after = last;
  }
}

const findIds = (db: Kysely<Tables>) => db.selectFrom('oauth_client').select(['id', 'tenant']);

/** Clients of all tenants in the order of their keys. */
const findClientsAfter = (db: Kysely<Tables>, { tenant, id }: ClientId): Promise<readonly ClientId[]> =>
  findIds(db)
    .where((eb) => eb(eb.refTuple('tenant', 'id'), '>', eb.tuple(tenant, id)))
    .orderBy('tenant')
    .orderBy('id')
    .limit(CLIENTS_AT_ONCE)
    .execute();
