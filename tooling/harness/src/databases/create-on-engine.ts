import { randomUUID } from 'node:crypto';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { openFolder } from '../machine/open-folder.ts';
import type { LogEnd } from '../postgres/coordinator-log.ts';
import type { TestDatabase } from '../postgres/create-database.ts';
import { createClusterDatabase } from './create-on-cluster.ts';
import { createTestDatabase, type Migrate } from './create-on-postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The database engine of this run of a suite. */
    readonly engine: 'sqlite' | 'postgres';
    /** Whether the databases of a suite on PostgreSQL are distributed by Citus. */
    readonly isOnCitus: boolean;
    /** A folder for what the tests of this run share; it is removed at the end of the run. */
    readonly sharedFolder: string;
    /** Where the log of the coordinator that TEST_CITUS_URL names ended before this run; null without a log or a cluster. */
    readonly logEnd: LogEnd | null;
  }
}

/**
 * Creates a database for the current test, by default on the engine that its suite runs on. With `migrate` it is a copy
 * of a template, which `migrate` is called for once.
 */
export async function createEngineDatabase(
  engine?: 'sqlite' | 'postgres' | 'citus',
  migrate?: Migrate,
): Promise<TestDatabase> {
  const { inject } = await import('vitest');
  const chosen = engine ?? inject('engine');
  if (chosen === 'citus') return createClusterDatabase();
  if (chosen === 'postgres') return createTestDatabase(migrate);
  // On a disk, tests would wait for the sync of each commit.
  const folder = openFolder('test', { inMemory: true });
  const path = join(folder.path, 'test.db');
  if (migrate !== undefined) {
    sqliteTemplate ??= createSqliteTemplate(inject('sharedFolder'), migrate);
    copyFileSync(await sqliteTemplate, path);
  }
  return { url: `sqlite:${path}`, remove: async () => folder[Symbol.dispose]() };
}

let sqliteTemplate: Promise<string> | null = null;

async function createSqliteTemplate(folder: string, migrate: Migrate): Promise<string> {
  const path = join(folder, `template-${randomUUID()}.db`);
  await migrate(`sqlite:${path}`);
  return path;
}
