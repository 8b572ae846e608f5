import { join } from 'node:path';
import { openFolder } from '../machine/open-folder.ts';
import type { TestDatabase } from '../postgres/create-database.ts';
import { createTestDatabase } from './create-on-postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The database engine of this run of a suite. */
    readonly engine: 'sqlite' | 'postgres';
  }
}

/** Creates a database for the current test, by default on the engine that its suite runs on. */
export async function createEngineDatabase(engine?: 'sqlite' | 'postgres'): Promise<TestDatabase> {
  const { inject } = await import('vitest');
  return (engine ?? inject('engine')) === 'postgres' ? createTestDatabase() : createSqliteDatabase();
}

function createSqliteDatabase(): TestDatabase {
  const folder = openFolder('test');
  return { url: `sqlite:${join(folder.path, 'test.db')}`, remove: async () => folder[Symbol.dispose]() };
}
