import { randomUUID } from 'node:crypto';
import pg from 'pg';

/** A database on a server, or a SQLite file. */
export interface TestDatabase {
  /** As `DATABASE_URL` takes it. */
  readonly url: string;
  /** Removes the database, even while clients are connected. */
  remove(): Promise<void>;
}

/** Creates an empty database on the server of the given address. */
export async function createDatabase(serverUrl: string): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await run(serverUrl, `create database ${name} template template0 strategy wal_log`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { url: url.href, remove: () => run(serverUrl, `drop database if exists ${name} with (force)`) };
}

async function run(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  // When the server is killed, the statement rejects; the client's own error event must not end the process.
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
