import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';

/** The rows of a statement on a database, read beside the store. Numbers of PostgreSQL may be texts. */
export async function readRows<Row>(url: string, statement: string): Promise<readonly Row[]> {
  if (url.startsWith('sqlite:')) {
    const database = new DatabaseSync(url.slice('sqlite:'.length), { readOnly: true });
    try {
      return database.prepare(statement).all() as Row[];
    } finally {
      database.close();
    }
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows as Row[];
  } finally {
    await client.end();
  }
}
