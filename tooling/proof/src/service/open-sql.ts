import Sqlite from 'better-sqlite3';
import pg from 'pg';
import type { OwnDatabase } from './open-database.ts';

/** A row as the driver of the engine reads it. */
export type SqlRow = Readonly<Record<string, unknown>>;

/** The database behind the back of the service. */
export interface Sql extends AsyncDisposable {
  /** Runs one statement that both engines understand; its rows, where it has any. */
  run(statement: string): Promise<readonly SqlRow[]>;
}

const BUSY_MS = 5_000;

export async function openSql({ url, path }: OwnDatabase): Promise<Sql> {
  if (path !== null) return openSqlite(path);
  const client = new pg.Client({ connectionString: url });
  // The server may go away under it.
  client.on('error', () => {});
  await client.connect();
  return {
    run: async (statement) => (await client.query(statement)).rows,
    [Symbol.asyncDispose]: () => client.end(),
  };
}

function openSqlite(path: string): Sql {
  const connection = new Sqlite(path, { timeout: BUSY_MS });
  return {
    async run(text) {
      const statement = connection.prepare<[], SqlRow>(text);
      if (statement.reader) return statement.all();
      statement.run();
      return [];
    },
    [Symbol.asyncDispose]: async () => void connection.close(),
  };
}
