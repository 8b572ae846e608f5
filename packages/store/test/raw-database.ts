import Sqlite from 'better-sqlite3';
import pg from 'pg';
import { TABLES } from '../src/schema/tables.ts';
import { ENGINE, type OpenedDatabase } from './store-engine.ts';

/** So few that their values are less than the parameters that a statement of PostgreSQL can have. */
const ROWS_AT_ONCE = 500;

type Value = string | number | Buffer | null;
export type Row = Readonly<Record<string, Value>>;

/** The database as another program sees it. */
export interface RawDatabase extends AsyncDisposable {
  /** Every table that has rows of its own, with its columns. */
  tables(): Promise<ReadonlyMap<string, readonly string[]>>;
  rows(table: string): Promise<readonly Row[]>;
  insert(table: string, rows: readonly Row[]): Promise<void>;
  /** Lets the engine plan by what the table holds. */
  analyze(table: string): Promise<void>;
}

/** Opens a database of the suite's engine. */
export async function openRaw({ url }: Pick<OpenedDatabase, 'url'>): Promise<RawDatabase> {
  if (ENGINE.name === 'sqlite') {
    const connection = new Sqlite(url.slice('sqlite:'.length));
    return {
      tables: async () => {
        const names = connection
          .prepare<[], string>(`select name from sqlite_master
            where type = 'table' and name not like 'search_text%' and name not like 'search_word%'`)
          .pluck()
          .all();
        const columnsOf = connection.prepare<[string], string>('select name from pragma_table_info(?)').pluck();
        return new Map(names.map((name) => [name, columnsOf.all(name)]));
      },
      rows: async (table) => connection.prepare<[], Row>(`select * from ${table}`).all(),
      insert: async (table, rows) => {
        const columns = Object.keys(rows[0] ?? {});
        const statement = connection.prepare(
          `insert into ${table} (${columns.join()}) values (${columns.map((column) => `@${column}`).join()})`,
        );
        connection.transaction(() => {
          for (const row of rows) statement.run(row);
        })();
      },
      analyze: async (table) => void connection.exec(`analyze ${table}`),
      [Symbol.asyncDispose]: async () => void connection.close(),
    };
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return {
    tables: async () => {
      const { rows } = await client.query<{ name: string; columns: string[] }>(
        `select table_name as name, array_agg(column_name::text) as columns from information_schema.columns
           join information_schema.tables using (table_schema, table_name)
         where table_schema = 'public' and table_type = 'BASE TABLE' group by table_name`,
      );
      return new Map(rows.map(({ name, columns }) => [name, columns]));
    },
    rows: async (table) => (await client.query<Row>(`select * from ${table}`)).rows,
    insert: async (table, rows) => {
      const columns = Object.keys(rows[0] ?? {});
      for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
        const some = rows.slice(from, from + ROWS_AT_ONCE);
        const places = some.map((_, row) => `(${columns.map((_, at) => `$${row * columns.length + at + 1}`).join()})`);
        await client.query(
          `insert into ${table} (${columns.join()}) values ${places.join()}`,
          some.flatMap((row) => columns.map((column) => row[column])),
        );
      }
    },
    analyze: async (table) => void (await client.query(`analyze ${table}`)),
    [Symbol.asyncDispose]: () => client.end(),
  };
}

/** The tables that a removal, or a move, must not forget. */
export const TENANT_TABLES = TABLES.filter((table) => 'tenant' in table.columns && table.name !== 'tenant_removal');

/** Rows of every table: equal numbers in rows of several tables make them refer to each other. */
export async function fill(raw: RawDatabase, tenant: string, count: number): Promise<void> {
  for (const table of TENANT_TABLES) {
    const isOne = table.key === 'tenant';
    const rows = Array.from({ length: isOne ? 1 : count }, (_, number) => ({
      ...Object.fromEntries(
        Object.entries(table.columns).map(([column, type]) => [
          column,
          columnValue(type, `${tenant}-${number}`, number),
        ]),
      ),
      tenant,
    }));
    await raw.insert(table.name, rows);
  }
}

function columnValue(type: string, text: string, number: number): Value {
  if (type.startsWith('text')) return text;
  return type === 'bytes' ? Buffer.from(text) : number;
}

/** The rows of each table as text, in order. */
export async function dump(
  raw: RawDatabase,
  isIn: (row: Row) => boolean,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const dumped: Record<string, readonly string[]> = {};
  for (const [table] of await raw.tables())
    dumped[table] = (await raw.rows(table))
      .filter(isIn)
      .map((row) => JSON.stringify(row))
      .toSorted();
  return dumped;
}
