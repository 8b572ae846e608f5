import { type CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely';
import { createPauses } from '../engine/concurrency/pauses.ts';
import { isPostgres } from '../engine/is-postgres.ts';
import type { Tables } from '../schema/tables.ts';
import { rowPlaceholders } from './placeholders.ts';

// Keeps statements well below the limit of parameters: 32,766 in SQLite, 65,535 in PostgreSQL. PostgreSQL waits for the client
// between two statements.
const STATEMENT_ROWS_MAX = { sqlite: 100, postgres: 250 };
// Rows of a megabyte each are inserted one by one.
const STATEMENT_LENGTH_MAX = 1_000_000;

/** The table of inserted rows, and the `on conflict` clause, made from the names of the columns. */
export interface Insertion<T extends keyof Tables> {
  readonly table: T;
  readonly onConflict: (columns: readonly string[]) => RawBuilder<unknown>;
  /**
   * Sets of columns that often have the same value in many rows, the largest first. A statement of PostgreSQL in whose rows a
   * set is equal binds these values once: encoding parameters takes most of the client's time, while the server waits.
   */
  readonly repeated?: readonly (readonly string[])[];
}

/** Inserts rows that all have the columns of the first, in its order. Existing rows are not changed. */
export const insertMissing = <T extends keyof Tables>(
  db: Kysely<Tables>,
  table: T,
  rows: readonly Tables[T][],
): Promise<void> => insertRows(db, { table, onConflict: () => sql`on conflict do nothing` }, rows);

/** Inserts rows that all have the columns of the first in its order. They may be made while earlier ones are inserted. */
export async function insertRows<T extends keyof Tables>(
  db: Kysely<Tables>,
  insertion: Insertion<T>,
  rows: Iterable<Tables[T]>,
): Promise<void> {
  await using inserts = openInserts(db);
  const pause = createPauses();
  const writer = inserts.createWriter(insertion);
  for (const row of rows) {
    if (writer.add(row)) await writer.flush();
    await pause();
  }
  await writer.flush();
  await inserts.end();
}

/** Collects rows that all have the columns of the first, in its order, and inserts them many at a time. */
export interface RowWriter<Row> {
  /** Whether the rows have to be flushed before another is added. `length` is that of a long row, in characters. */
  add(row: Row, length?: number): boolean;
  /** Begins to insert the rows added so far, once the statement before is done. */
  flush(): Promise<void>;
}

/**
 * Writers that share a transaction. One statement runs while the rows of the next are made. Disposing of it waits for the
 * running statement: a rollback must not overtake it.
 */
export interface Inserts extends AsyncDisposable {
  createWriter<T extends keyof Tables>(insertion: Insertion<T>): RowWriter<Tables[T]>;
  /** Resolves once all flushed rows are inserted. */
  end(): Promise<void>;
}

export function openInserts(db: Kysely<Tables>): Inserts {
  const pause = createPauses();
  let running: Promise<unknown> = Promise.resolve();
  const start = async (statement: CompiledQuery) => {
    await running;
    running = db.executeQuery(statement);
    // Its failure is thrown by the next call.
    running.catch(() => {});
    await pause();
  };
  const end = async () => void (await running);
  return {
    createWriter: (insertion) => createWriter(db, insertion, start),
    end,
    [Symbol.asyncDispose]: () => end().catch(() => {}),
  };
}

function createWriter<T extends keyof Tables>(
  db: Kysely<Tables>,
  insertion: Insertion<T>,
  start: (statement: CompiledQuery) => Promise<void>,
): RowWriter<Tables[T]> {
  const engine = isPostgres(db) ? 'postgres' : 'sqlite';
  const repeated = engine === 'postgres' ? (insertion.repeated ?? []) : [];
  const statements = new Map<string, CompiledQuery>();
  let columns: readonly string[] = [];
  let rows: (readonly unknown[])[] = [];
  let length = 0;
  return {
    add: (row, rowLength = 0) => {
      if (columns.length === 0) columns = Object.keys(row);
      rows.push(Object.values(row));
      length += rowLength;
      return rows.length === STATEMENT_ROWS_MAX[engine] || length >= STATEMENT_LENGTH_MAX;
    },
    flush: async () => {
      if (rows.length === 0) return;
      const isShared = sharedColumns(columns, rows, repeated);
      const key = `${rows.length} ${isShared.join()}`;
      const statement = statements.get(key) ?? compileInsert(db, insertion, { columns, count: rows.length, isShared });
      statements.set(key, statement);
      const parameters = parametersOf(rows, isShared);
      [length, rows] = [0, []];
      await start({ ...statement, parameters });
    },
  };
}

/** Whether the rows have the same value in each column, for the columns of the first set of which all have. */
function sharedColumns(
  columns: readonly string[],
  rows: readonly (readonly unknown[])[],
  sets: readonly (readonly string[])[],
): readonly boolean[] {
  const [first] = rows;
  const isEqual = (at: number) => rows.every((values) => values[at] === first?.[at]);
  const set = sets.find((names) => names.every((name) => isEqual(columns.indexOf(name)))) ?? [];
  return columns.map((name) => set.includes(name));
}

/** The shared values once, and the others of each row. */
function parametersOf(rows: readonly (readonly unknown[])[], isShared: readonly boolean[]): readonly unknown[] {
  const parameters = (rows[0] ?? []).filter((_, at) => isShared[at]);
  const own = isShared.flatMap((is, at) => (is ? [] : at));
  for (const values of rows) for (const at of own) parameters.push(values[at]);
  return parameters;
}

/** Compiles an insert without values. */
function compileInsert<T extends keyof Tables>(
  db: Kysely<Tables>,
  { table, onConflict }: Insertion<T>,
  {
    columns,
    ...rows
  }: { readonly columns: readonly string[]; readonly count: number; readonly isShared: readonly boolean[] },
): CompiledQuery {
  return sql`
    insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
    values ${rowPlaceholders(db, rows)}
    ${onConflict(columns)}`.compile(db);
}
