import { createDatabase } from './create-database.ts';
import { type PostgresServer, startPostgres } from './start-server.ts';

/** A server on which tests create databases. */
export type TestServer = Pick<PostgresServer, 'url' | 'createDatabase'> & AsyncDisposable;

/** Opens the server that TEST_POSTGRES_URL names; without that variable, starts one. */
export async function openTestServer(): Promise<TestServer | { readonly unavailable: string }> {
  const url = process.env['TEST_POSTGRES_URL'];
  // Tests create about a thousand databases, and on a disk creating them would take most of the time.
  if (!url) return startPostgres({ inMemory: true });
  return { url, createDatabase: () => createDatabase(url), async [Symbol.asyncDispose]() {} };
}
