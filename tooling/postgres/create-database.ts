import { randomUUID } from 'node:crypto';
import pg from 'pg';

/** A database of a test's own. */
export interface TestDatabase {
  readonly url: string;
  /** Drops it, whoever is still connected. */
  remove(): Promise<void>;
}

/** Creates an empty database on the server that the address names. */
export async function createDatabase(serverUrl: string): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await run(serverUrl, `create database ${name} template template0 strategy wal_log`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { url: url.href, remove: () => run(serverUrl, `drop database if exists ${name} with (force)`) };
}

async function run(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  // The server may be killed meanwhile: the statement rejects then, and nothing else is to happen.
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
