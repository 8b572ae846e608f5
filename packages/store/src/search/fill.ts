import { sql } from 'kysely';
import { createEntryMaker, SEARCH_KINDS, SEARCHED_COLUMNS, type SearchedColumns, type SearchTable } from './entry.ts';
import { ENTRIES_AT_ONCE, type SearchIndex, type SearchTransaction } from './index-writes.ts';

/** Makes the entries of all records of all tenants, which have none yet. */
export async function fillSearchIndex(trx: SearchTransaction, index: SearchIndex): Promise<void> {
  const { rows: tenants } = await sql<{ readonly tenant: string }>`select tenant from tenant order by tenant`.execute(
    trx,
  );
  for (const { tenant } of tenants)
    for (const table of Object.keys(SEARCH_KINDS) as SearchTable[]) await fillTable(trx, index, { tenant, table });
}

async function fillTable<T extends SearchTable>(
  trx: SearchTransaction,
  index: SearchIndex,
  { tenant, table }: { readonly tenant: string; readonly table: T },
): Promise<void> {
  const toEntry = createEntryMaker(tenant, table);
  for (let after = ''; ; ) {
    const { rows } = await sql<SearchedColumns[T]>`
      select ${sql.join(SEARCHED_COLUMNS[table].map((column) => sql.ref(column)))} from ${sql.table(table)}
      where tenant = ${tenant} and id > ${after} order by id limit ${ENTRIES_AT_ONCE}`.execute(trx);
    await index.put(trx, { tenant, table }, rows.map(toEntry));
    const last = rows.at(-1);
    if (last === undefined || rows.length < ENTRIES_AT_ONCE) return;
    after = last.id;
  }
}
