import { StorageUnavailable } from '../engine/errors.ts';
import { assertSchema } from '../engine/migrate.ts';
import { createPostgresCheckWrites } from '../engine/postgres/check-writes.ts';
import { openPostgresDatabase } from '../engine/postgres/database.ts';
import { createPostgresHotReads } from '../engine/postgres/hot-reads.ts';
import { POSTGRES_LIMITS, type PostgresLimits } from '../engine/postgres/limits.ts';
import { migratePostgres } from '../engine/postgres/migrate.ts';
import { migrationsOf, type Statements } from '../schema/migrations.ts';
import { createStore } from './create-store.ts';
import type { Store } from './store.ts';

interface PostgresStoreOptions {
  readonly url: string;
  /** Migrations after those of this version, for tests of upgrades. */
  readonly furtherMigrations?: Statements;
  /** Other time limits, for tests of failures. */
  readonly limits?: PostgresLimits;
}

/** Opens a store in a PostgreSQL database and migrates it. Several processes may do so. */
export async function openPostgresStore({
  url,
  furtherMigrations,
  limits = POSTGRES_LIMITS,
}: PostgresStoreOptions): Promise<Store> {
  const migrations = migrationsOf('postgres', furtherMigrations);
  const migrated = await migratePostgres(url, migrations);
  const database = openPostgresDatabase({ url, migrations, limits });
  return createStore({
    engine: 'postgres',
    migrated,
    database,
    hotReads: createPostgresHotReads(database),
    checkWrites: createPostgresCheckWrites(database),
    ping: () => inTime(limits.pingMs, assertSchema(database)),
    onCommit: database.commits.subscribe,
    close: database.close,
  });
}

/** A ping fails early rather than wait for a storage that does not respond. */
async function inTime(ms: number, answer: Promise<void>): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new StorageUnavailable('The storage gives no answer.')), ms);
  try {
    await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
