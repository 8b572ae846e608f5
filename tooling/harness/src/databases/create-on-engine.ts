import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { openFolder } from '../machine/open-folder.ts';
import type { TestDatabase } from '../postgres/create-database.ts';
import { createTestDatabase, type Migrate } from './create-on-postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The database engine of this run of a suite. */
    readonly engine: 'sqlite' | 'postgres';
  }
}

/**
 * Creates a database for the current test, by default on the engine that its suite runs on. With `migrate` it is a copy
 * of a template, which `migrate` is called for once.
 */
export async function createEngineDatabase(engine?: 'sqlite' | 'postgres', migrate?: Migrate): Promise<TestDatabase> {
  const { inject } = await import('vitest');
  if ((engine ?? inject('engine')) === 'postgres') return createTestDatabase(migrate);
  const folder = openFolder('test');
  const path = join(folder.path, 'test.db');
  if (migrate !== undefined) {
    sqliteTemplate ??= createSqliteTemplate(migrate);
    copyFileSync(await sqliteTemplate, path);
  }
  return { url: `sqlite:${path}`, remove: async () => folder[Symbol.dispose]() };
}

let sqliteTemplate: Promise<string> | null = null;

async function createSqliteTemplate(migrate: Migrate): Promise<string> {
  const folder = openFolder('template');
  process.once('exit', () => folder[Symbol.dispose]());
  const path = join(folder.path, 'template.db');
  await migrate(`sqlite:${path}`);
  return path;
}
