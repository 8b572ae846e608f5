import { createDatabase, type TestDatabase } from '../postgres/create-database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address that starts the PostgreSQL server of this run on the first request and returns its URL. */
    readonly postgresStarter: string;
  }
}

/** Creates a database on the server of the vitest run. On a platform without a server, the current test is skipped. */
export async function createTestDatabase(): Promise<TestDatabase> {
  // Imported here, because benchmarks and campaigns use this package outside of vitest.
  const { inject, TestRunner } = await import('vitest');
  const response = await fetch(inject('postgresStarter'));
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  const { url, unavailable }: { readonly url: string; readonly unavailable?: string } = JSON.parse(text);
  if (unavailable === undefined) return createDatabase(url);
  TestRunner.getCurrentTest()?.context.skip(unavailable);
  throw new Error(unavailable);
}
