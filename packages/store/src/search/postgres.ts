import { sql } from 'kysely';
import { SEARCH_KINDS } from './entry.ts';
import type { SearchIndex } from './index-writes.ts';
import { createRepeatedRows } from './repeated-rows.ts';

const upsertEntries = createRepeatedRows(
  (rows) => `insert into search_entry (tenant, kind, id, name, uid, email, parent, codes) values ${rows}
    on conflict (tenant, kind, id) do update set name = excluded.name, uid = excluded.uid, email = excluded.email,
      parent = excluded.parent, codes = excluded.codes`,
  { width: 8, isNumbered: true },
);

/** The index of PostgreSQL: a GIN index of the codes of each entry, which needs no extension. */
export const postgresSearchIndex: SearchIndex = {
  async put(trx, { tenant, table }, entries) {
    if (entries.length === 0) return;
    const kind = SEARCH_KINDS[table];
    const rows = entries.flatMap(({ id, name, uid, email, parent, codes }) => [
      tenant,
      kind,
      id,
      name,
      uid,
      email,
      parent,
      arrayOf(codes),
    ]);
    await trx.executeQuery(upsertEntries(rows));
  },
  async remove(trx, { tenant, table }, ids) {
    if (ids.length === 0) return;
    await sql`
      delete from search_entry where tenant = ${tenant} and kind = ${SEARCH_KINDS[table]} and id in (${sql.join(ids)})
    `.execute(trx);
  },
  async removeSome(trx, tenant, limit) {
    // As rows of other tables: see `deleteSome`.
    const { numAffectedRows = 0n } = await sql`
      delete from search_entry where tenant = ${tenant} and ctid = any (array(
        select ctid from search_entry where tenant = ${tenant} limit ${limit}
      ))`.execute(trx);
    return Number(numAffectedRows);
  },
  having(searched) {
    const condition =
      'any' in searched
        ? sql<boolean>`codes && ${arrayOf(searched.any)}::integer[]`
        : sql<boolean>`(${sql.join(
            searched.allOfOne.map((codes) => sql`codes @> ${arrayOf(codes)}::integer[]`),
            sql` or `,
          )})`;
    return { source: sql`search_entry`, condition };
  },
};

const arrayOf = (codes: readonly number[]): string => `{${codes.join()}}`;
