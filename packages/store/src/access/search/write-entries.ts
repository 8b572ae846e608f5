import { type RawBuilder, sql, type Transaction } from 'kysely';
import { inParts } from '../../engine/concurrency/in-parts.ts';
import { createPauses } from '../../engine/concurrency/pauses.ts';
import { insertRows } from '../../query/insert.ts';
import type { Tables } from '../../schema/tables.ts';
import { rowToEntry, SEARCH_KINDS, type SearchTable } from './entry.ts';

/** Inserts or replaces the entries of rows. The indexes follow by themselves. */
export const putEntries = <T extends SearchTable>(
  trx: Transaction<Tables>,
  table: T,
  rows: readonly Tables[T][],
): Promise<void> =>
  insertRows(
    trx,
    { table: 'search_entry', onConflict: replaceOthers },
    rows.map((row) => rowToEntry(table, row)),
  );

const KEY: readonly string[] = ['tenant', 'kind', 'id'];

function replaceOthers(columns: readonly string[]): RawBuilder<unknown> {
  const settings = columns
    .filter((column) => !KEY.includes(column))
    .map((column) => sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`);
  return sql`on conflict (tenant, kind, id) do update set ${sql.join(settings)}`;
}

const IDS_AT_ONCE = 100;

export async function removeEntries(
  trx: Transaction<Tables>,
  { tenant, table }: { readonly tenant: string; readonly table: SearchTable },
  ids: readonly string[],
): Promise<void> {
  const pause = createPauses();
  for (const some of inParts(ids, IDS_AT_ONCE)) {
    await trx
      .deleteFrom('search_entry')
      .where('tenant', '=', tenant)
      .where('kind', '=', SEARCH_KINDS[table])
      .where('id', 'in', some)
      .execute();
    await pause();
  }
}
