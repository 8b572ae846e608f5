import { type CompiledQuery, type RawBuilder, sql, type Transaction } from 'kysely';
import { createBreather } from '../concurrency/breather.ts';
import type { Tables } from '../schema/tables.ts';

// Keeps statements well below the limit of parameters: 32,766 in SQLite, 65,535 in PostgreSQL.
const STATEMENT_ROWS_MAX = 100;
// Rows of a megabyte each are inserted one by one.
const STATEMENT_LENGTH_MAX = 1_000_000;

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
  const writer = createRowWriter(trx, insertion);
  for (const row of rows) if (writer.add(row)) await writer.flush();
  await writer.flush();
}

/** Collects rows that all have the columns of the first, in its order, and inserts them many at a time. */
export interface RowWriter<Row> {
  /** Whether the rows have to be flushed before another is added. `length` is that of a long row, in characters. */
  add(row: Row, length?: number): boolean;
  /** Inserts the rows added so far, and lets the event loop turn now and then. */
  flush(): Promise<void>;
}

export function createRowWriter<T extends keyof Tables>(
  trx: Transaction<Tables>,
  insertion: Insertion<T>,
): RowWriter<Tables[T]> {
  const breathe = createBreather();
  const statements = new Map<number, CompiledQuery>();
  let columns: readonly string[] = [];
  let parameters: unknown[] = [];
  let [count, length] = [0, 0];
  const compile = () => compileInsert(insertion, columns, count).compile(trx);
  return {
    add: (row, rowLength = 0) => {
      if (columns.length === 0) columns = Object.keys(row);
      parameters.push(...Object.values(row));
      count += 1;
      length += rowLength;
      return count === STATEMENT_ROWS_MAX || length >= STATEMENT_LENGTH_MAX;
    },
    flush: async () => {
      if (count === 0) return;
      const statement = statements.get(count) ?? compile();
      statements.set(count, statement);
      const bound = parameters;
      [count, length, parameters] = [0, 0, []];
      await trx.executeQuery({ ...statement, parameters: bound });
      await breathe();
    },
  };
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
