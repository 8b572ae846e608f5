import type { TestDatabase } from '../postgres/create-database.ts';
import { createEmptyOnCitus, createOnCitus } from '../postgres/create-on-citus.ts';

/**
 * Creates a database on the Citus cluster that TEST_CITUS_URL names by a database of its coordinator: with tenants distributed
 * over the nodes, or `empty`. Without that variable, the current test is skipped.
 */
export async function createClusterDatabase(state: 'distributed' | 'empty' = 'distributed'): Promise<TestDatabase> {
  // Imported here, because benchmarks and campaigns use this package outside of vitest.
  const { inject, TestRunner } = await import('vitest');
  const url = process.env['TEST_CITUS_URL'];
  // The path of the starter is unique to this run.
  if (url) return state === 'empty' ? createEmptyOnCitus(url) : createOnCitus(url, inject('postgresStarter'));
  const reason = 'TEST_CITUS_URL names no coordinator of a Citus cluster';
  TestRunner.getCurrentTest()?.context.skip(reason);
  throw new Error(reason);
}
