import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';

/** Reads a database beside the store, on a connection of its own that ends when the reader is disposed of. */
export interface RowReader extends AsyncDisposable {
  /** The rows of a statement. Numbers of PostgreSQL may be texts. */
  read<Row>(statement: string): Promise<readonly Row[]>;
}

export async function openRowReader(url: string): Promise<RowReader> {
  if (url.startsWith('sqlite:')) {
    const database = new DatabaseSync(url.slice('sqlite:'.length), { readOnly: true });
    return {
      read: async <Row>(statement: string) => database.prepare(statement).all() as Row[],
      [Symbol.asyncDispose]: async () => database.close(),
    };
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return {
    read: async <Row>(statement: string) => (await client.query(statement)).rows as Row[],
    [Symbol.asyncDispose]: () => client.end(),
  };
}

/** The rows of one statement on a database, as `RowReader.read` gives them. */
export async function readRows<Row>(url: string, statement: string): Promise<readonly Row[]> {
  await using reader = await openRowReader(url);
  // Disposing of the reader ends its connection, also under a running statement.
  return await reader.read(statement);
}
