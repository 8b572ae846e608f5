import { createDatabase, type TestDatabase } from './create-database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Answers with the address of the run's one server, which the first who asks starts. */
    readonly postgresStarter: string;
  }
}

/** Creates a database on the server of the whole vitest run. Where there is no server, the current test is skipped. */
export async function createTestDatabase(): Promise<TestDatabase> {
  // Here only, for who uses this package outside of a test.
  const { inject, TestRunner } = await import('vitest');
  const response = await fetch(inject('postgresStarter'));
  const answer = await response.text();
  if (!response.ok) throw new Error(answer);
  const { url, unavailable }: { readonly url: string; readonly unavailable?: string } = JSON.parse(answer);
  if (unavailable === undefined) return createDatabase(url);
  TestRunner.getCurrentTest()?.context.skip(unavailable);
  throw new Error(unavailable);
}
