import { hash } from 'node:crypto';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Tables } from '../../schema/tables.ts';

/** How many rows, and about how many characters, are read at once: rows are of any size. */
const ROWS_MAX = 1_000;
const CHARACTERS = 4 * 2 ** 20;
const FIRST_ROWS = 10;

/** The rows of a table on PostgreSQL as JSON, all columns of them, in no order. */
export async function* readRows(
  trx: Transaction<Tables>,
  table: string,
  where: RawBuilder<unknown>,
): AsyncGenerator<readonly string[]> {
  await sql`declare moved no scroll cursor for
    select to_json(moved_row)::text as row from ${sql.table(table)} as moved_row where ${where}`.execute(trx);
  let limit = FIRST_ROWS;
  for (;;) {
    const { rows } = await sql<{ readonly row: string }>`fetch ${sql.lit(limit)} from moved`.execute(trx);
    if (rows.length > 0) yield rows.map(({ row }) => row);
    if (rows.length < limit) break;
    const characters = rows.reduce((sum, { row }) => sum + row.length, 0);
    limit = Math.max(1, Math.min(ROWS_MAX, Math.floor((limit * CHARACTERS) / characters)));
  }
  await sql`close moved`.execute(trx);
}

/** Inserts rows that `readRows` has read from a table with the same columns. */
export async function insertRows(trx: Transaction<Tables>, table: string, rows: readonly string[]): Promise<void> {
  const name = sql.table(table);
  await sql`insert into ${name} select * from json_populate_recordset(null::${name}, ${`[${rows.join()}]`}::json)`.execute(
    trx,
  );
}

/** A digest of rows that does not depend on their order within a table. */
export interface RowsDigest {
  add(table: string, rows: readonly string[]): void;
  text(): string;
}

const DIGITS = 32;

export function createDigest(): RowsDigest {
  const sums = new Map<string, { count: number; sum: bigint }>();
  return {
    add: (table, rows) => {
      const of = sums.get(table) ?? { count: 0, sum: 0n };
      for (const row of rows) of.sum += BigInt(`0x${hash('sha256', row).slice(0, DIGITS)}`);
      of.count += rows.length;
      sums.set(table, of);
    },
    text: () => [...sums].map(([table, { count, sum }]) => `${table} ${count} ${sum.toString(16)}`).join('\n'),
  };
}
