import { closeSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { assertSchema, migrate } from '../engine/migrate.ts';
import { openSqliteDatabase, type SqliteLimits } from '../engine/sqlite/database.ts';
import { makeFolder } from '../engine/sqlite/make-folder.ts';
import { measureSqliteStorage } from '../engine/sqlite/measure-storage.ts';
import { migrationsOf, type Statements } from '../schema/migrations.ts';
import { reserveMissingIds } from '../sign-in/clients/ids.ts';
import { createStore } from './create-store.ts';
import type { Store } from './store.ts';

interface SqliteStoreOptions {
  readonly path: string;
  readonly mails?: boolean | undefined;
  /** Migrations after those of this version, for tests of upgrades. */
  readonly furtherMigrations?: Statements;
  /** Other time limits, for tests of failures. */
  readonly limits?: Partial<SqliteLimits>;
}

/** Opens a store in a file, creates the file and its directory if necessary, and migrates it. Several processes may do so. */
export async function openSqliteStore({
  path,
  mails,
  furtherMigrations,
  limits = {},
}: SqliteStoreOptions): Promise<Store> {
  const file = resolve(path);
  // The file holds private keys, so only its owner may read it. SQLite gives the files beside it the same mode.
  makeFolder(dirname(file));
  closeSync(openSync(file, 'a', 0o600));
  const database = await openSqliteDatabase(file, migrationsOf('sqlite', furtherMigrations), limits);
  try {
    const migrated = await migrate(database);
    await reserveMissingIds(database);
    return createStore({
      engine: 'sqlite',
      mails,
      migrated,
      database,
      measureStorage: () => measureSqliteStorage(file),
      ping: () => assertSchema(database),
      onCommit: (listener) => database.commits.subscribe(({ arising }) => listener(arising)),
      close: database.close,
    });
  } catch (error) {
    await database.close();
    throw error;
  }
}
