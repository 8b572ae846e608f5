import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tenantScope } from '../src/engine/scope.ts';
import { deleteSome } from '../src/query/delete-some.ts';
import type { Tables } from '../src/schema/tables.ts';
import { openShared, type Shared } from './shared-database.ts';

let shared: Shared;
beforeAll(async () => {
  shared = await openShared('postgres');
});
afterAll(() => shared.close());

const ROWS = 20_000;
const BATCH = 250;

const rows = sql`generate_series(1, ${sql.lit(ROWS)}) as n`;

interface Deletion {
  readonly table: string;
  readonly fill: (tenant: string) => RawBuilder<unknown>;
  readonly remove: (trx: Transaction<Tables>, tenant: string) => Promise<number>;
}

const removeBy = (table: string, key: readonly string[]) => (trx: Transaction<Tables>, tenant: string) =>
  deleteSome(trx, { table, key, own: sql<boolean>`tenant = ${tenant}` }, BATCH);

const DELETIONS: readonly Deletion[] = [
  {
    table: 'entitlement',
    fill: (tenant) => sql`insert into entitlement (tenant, id, name) select ${tenant}, 'e-' || n, 'E' from ${rows}`,
    remove: removeBy('entitlement', ['id']),
  },
  {
    table: 'identity_tie',
    fill: (tenant) =>
      sql`insert into identity_tie (tenant, identity_id, maker_id, made_ms) select ${tenant}, 'i-' || n, 'm', n from ${rows}`,
    remove: removeBy('identity_tie', ['identity_id', 'maker_id']),
  },
  {
    table: 'search_entry',
    fill: (tenant) =>
      sql`insert into search_entry (tenant, kind, id, name, words) select ${tenant}, 1, 'i-' || n, 'I', '' from ${rows}`,
    remove: removeBy('search_entry', ['kind', 'id']),
  },
];

/** How many rows of a table this transaction has read. */
async function countRead(trx: Transaction<Tables>, table: string): Promise<number> {
  const { rows: found } = await sql<{ readonly read: string }>`
    select coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) as read
    from pg_stat_xact_user_tables where relid = ${table}::regclass`.execute(trx);
  return Number(found[0]?.read);
}

test.each(DELETIONS)(
  'a batch of $table reads few rows besides those that it deletes, without statistics',
  async ({ table, fill, remove }) => {
    const tenant = randomUUID();
    const other = randomUUID();
    await shared.database.write(tenantScope(tenant), async (trx) => {
      await fill(other).execute(trx);
      await fill(tenant).execute(trx);
      const before = await countRead(trx, table);
      expect(await remove(trx, tenant)).toBe(BATCH);
      expect((await countRead(trx, table)) - before).toBeLessThanOrEqual(3 * BATCH);
      const { rows: left } = await sql<{ readonly tenant: string; readonly count: number }>`
      select tenant, count(*)::int as count from ${sql.table(table)} where tenant in (${tenant}, ${other}) group by tenant
    `.execute(trx);
      expect(Object.fromEntries(left.map((row) => [row.tenant, row.count]))).toEqual({
        [tenant]: ROWS - BATCH,
        [other]: ROWS,
      });
    });
  },
);
