import { type RawBuilder, sql, type Transaction } from 'kysely';
import { createBreather } from './breather.ts';
import type { Tables } from './tables.ts';

// Well below the parameters that a statement can have: 32,766 in SQLite, 65,535 in PostgreSQL.
const CHUNK_ROWS = 100;

/** Inserts rows that all have the columns of the first in its order; one that is there already stays as it is. */
export async function insertRows<T extends 'sod_report_request' | 'sod_report_policy' | 'sod_report_block'>(
  trx: Transaction<Tables>,
  table: T,
  rows: readonly Tables[T][],
): Promise<void> {
  const [template] = rows;
  if (template === undefined) return;
  const breathe = createBreather();
  const columns = Object.keys(template);
  const compile = (count: number) => compileInsert(table, columns, count).compile(trx);
  const full = rows.length < CHUNK_ROWS ? null : compile(CHUNK_ROWS);
  for (let start = 0; start < rows.length; start += CHUNK_ROWS) {
    const chunk = rows.slice(start, start + CHUNK_ROWS);
    const statement = chunk.length === CHUNK_ROWS && full !== null ? full : compile(chunk.length);
    await trx.executeQuery({ ...statement, parameters: chunk.flatMap((row) => Object.values(row)) });
    await breathe();
  }
}

/** With the names of the columns in the place of values. */
function compileInsert(table: keyof Tables, columns: readonly string[], count: number): RawBuilder<unknown> {
  const row = sql`(${sql.join(columns)})`;
  return sql`
    insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
    values ${sql.join(Array.from({ length: count }, () => row))}
    on conflict do nothing`;
}
