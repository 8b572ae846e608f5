import { type RawBuilder, sql, type Transaction } from 'kysely';
import { createBreather } from '../concurrency/breather.ts';
import type { Tables } from '../schema/tables.ts';

// Keeps statements well below the limit of parameters: 32,766 in SQLite, 65,535 in PostgreSQL.
const CHUNK_ROWS = 100;

/** The table of inserted rows, and the `on conflict` clause, made from the names of the columns. */
export interface Insertion<T extends keyof Tables> {
  readonly table: T;
  readonly onConflict: (columns: readonly string[]) => RawBuilder<unknown>;
}

/** Inserts rows that all have the columns of the first, in its order. Existing rows are not changed. */
export const insertMissing = <T extends keyof Tables>(
  trx: Transaction<Tables>,
  table: T,
  rows: readonly Tables[T][],
): Promise<void> => insertRows(trx, { table, onConflict: () => sql`on conflict do nothing` }, rows);

/** Inserts rows that all have the columns of the first in its order. */
export async function insertRows<T extends keyof Tables>(
  trx: Transaction<Tables>,
  insertion: Insertion<T>,
  rows: readonly Tables[T][],
): Promise<void> {
  const [template] = rows;
  if (template === undefined) return;
  const breathe = createBreather();
  const columns = Object.keys(template);
  const compile = (count: number) => compileInsert(insertion, columns, count).compile(trx);
  const full = rows.length < CHUNK_ROWS ? null : compile(CHUNK_ROWS);
  for (let start = 0; start < rows.length; start += CHUNK_ROWS) {
    const chunk = rows.slice(start, start + CHUNK_ROWS);
    const statement = chunk.length === CHUNK_ROWS && full !== null ? full : compile(chunk.length);
    await trx.executeQuery({ ...statement, parameters: chunk.flatMap((row) => Object.values(row)) });
    await breathe();
  }
}

/** Compiles an insert with the names of the columns in place of values. */
function compileInsert<T extends keyof Tables>(
  { table, onConflict }: Insertion<T>,
  columns: readonly string[],
  count: number,
): RawBuilder<unknown> {
  const row = sql`(${sql.join(columns)})`;
  return sql`
    insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
    values ${sql.join(Array.from({ length: count }, () => row))}
    ${onConflict(columns)}`;
}
