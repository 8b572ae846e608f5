import { type RawBuilder, sql, type Transaction } from 'kysely';
import { isPostgres } from '../engine/is-postgres.ts';
import type { Tables } from '../schema/tables.ts';

/** Rows of one table. `own` must name the tenant, and `key` identify the rows that it selects. */
export interface OwnRows {
  readonly table: string;
  readonly key: readonly string[];
  readonly own: RawBuilder<boolean>;
}

/** Deletes at most `limit` rows, and tells how many. */
export async function deleteSome(
  trx: Transaction<Tables>,
  { table, key, own }: OwnRows,
  limit: number,
): Promise<number> {
  const ofTable = sql`${sql.table(table)} where ${own}`;
  const columns = sql.join(key.map((column) => sql.ref(column)));
  const isSome = isPostgres(trx)
    ? sql`ctid = any (array(select ctid from ${ofTable} limit ${limit}))`
    : sql`(${columns}) in (select ${columns} from ${ofTable} limit ${limit})`;
  // PostgreSQL reads an array first, and then the places that it names. Keys of a subquery it joins with all rows of the tenant, one
  // by one, where it has no statistics and so takes them for few.
  const { numAffectedRows = 0n } = await sql`delete from ${ofTable} and ${isSome}`.execute(trx);
  return Number(numAffectedRows);
}
