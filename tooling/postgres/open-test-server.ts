import { createDatabase } from './create-database.ts';
import { type PostgresServer, startPostgres } from './start-postgres.ts';

/** A server to create databases on. */
export type TestServer = Pick<PostgresServer, 'url' | 'createDatabase'> & AsyncDisposable;

/** The server that TEST_POSTGRES_URL names; without it, one of our own. */
export async function openTestServer(): Promise<TestServer | { readonly unavailable: string }> {
  const url = process.env['TEST_POSTGRES_URL'];
  // A database for each of a thousand tests: on a disk they would wait for it most of the time.
  if (!url) return startPostgres({ inMemory: true });
  return { url, createDatabase: () => createDatabase(url), async [Symbol.asyncDispose]() {} };
}
