import { createDatabase, createFromTemplate, type TestDatabase } from '../postgres/create-database.ts';
import { createClusterDatabase } from './create-on-cluster.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address that starts the PostgreSQL server of this run on the first request and returns its URL. */
    readonly postgresStarter: string;
  }
}

/** Creates the schema in an empty database. */
export type Migrate = (url: string) => Promise<void>;

/** Creates a database on the server of the vitest run, from a template with `migrate`, or on the cluster of a suite on Citus. On a platform without a server, the current test is skipped. */
export async function createTestDatabase(migrate?: Migrate): Promise<TestDatabase> {
  // Imported here, because benchmarks and campaigns use this package outside of vitest.
  const { inject, TestRunner } = await import('vitest');
  const starter = inject('postgresStarter');
  if (inject('isOnCitus')) return createClusterDatabase();
  const response = await fetch(starter);
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  const { url, unavailable }: { readonly url: string; readonly unavailable?: string } = JSON.parse(text);
  if (unavailable === undefined) {
    if (migrate === undefined) return createDatabase(url);
    // The path of the starter is unique to this run.
    const name = `template_${new URL(starter).pathname.replaceAll(/\W/g, '')}`;
    return createFromTemplate(url, { name, migrate });
  }
  TestRunner.getCurrentTest()?.context.skip(unavailable);
  throw new Error(unavailable);
}
