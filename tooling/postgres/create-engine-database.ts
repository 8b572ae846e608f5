import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestDatabase } from './create-database.ts';
import { createTestDatabase } from './create-test-database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the data is in this run of a suite. */
    readonly engine: 'sqlite' | 'postgres';
  }
}

/** Creates a database for the current test, on the engine that its suite runs on where none is named. */
export async function createEngineDatabase(engine?: 'sqlite' | 'postgres'): Promise<TestDatabase> {
  const { inject } = await import('vitest');
  if ((engine ?? inject('engine')) === 'postgres') return createTestDatabase();
  const directory = await mkdtemp(join(tmpdir(), 'access-admin-test-'));
  return {
    url: `sqlite:${join(directory, 'test.db')}`,
    remove: () => rm(directory, { recursive: true }),
  };
}
