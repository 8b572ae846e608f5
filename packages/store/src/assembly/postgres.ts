import { findLayout } from '../engine/citus/layout.ts';
import { limitsOf } from '../engine/citus/settings.ts';
import { StorageUnavailable } from '../engine/errors.ts';
import { assertSchema } from '../engine/migrate.ts';
import { openPostgresDatabase, type PostgresDatabase } from '../engine/postgres/database.ts';
import { POSTGRES_LIMITS, type PostgresLimits } from '../engine/postgres/limits.ts';
import { measurePostgresStorage } from '../engine/postgres/measure-storage.ts';
import { migratePostgres } from '../engine/postgres/migrate.ts';
import { type Query, queryOn } from '../engine/run-query.ts';
import { migrationsOf, type Statements } from '../schema/migrations.ts';
import { reserveMissingIds } from '../sign-in/clients/ids.ts';
import { createStore } from './create-store.ts';
import type { Store } from './store.ts';

interface PostgresStoreOptions {
  readonly url: string;
  readonly mails?: boolean | undefined;
  /** Migrations after those of this version, for tests of upgrades. */
  readonly furtherMigrations?: Statements;
  /** Other time limits, for tests of failures. */
  readonly limits?: Partial<PostgresLimits>;
}

/** Opens a store in a PostgreSQL database and migrates it. Several processes may do so. */
export async function openPostgresStore({
  url,
  mails,
  furtherMigrations,
  limits: otherLimits = {},
}: PostgresStoreOptions): Promise<Store> {
  const migrations = migrationsOf('postgres', furtherMigrations);
  const { layout, migrated } = await migratePostgres(url, migrations);
  const limits: PostgresLimits = { ...POSTGRES_LIMITS, ...limitsOf(layout), ...otherLimits };
  const database = openPostgresDatabase({ url, migrations, limits, layout });
  try {
    await reserveMissingIds(database);
  } catch (error) {
    await database.close();
    throw error;
  }
  return createStore({
    engine: 'postgres',
    mails,
    migrated,
    database,
    measureStorage: () => measurePostgresStorage(database),
    ping: () => inTime(limits.pingMs, assertUnchanged(database)),
    onCommit: (listener) => database.commits.subscribe(({ arising }) => listener(arising)),
    close: database.close,
  });
}

/** Rejects when this process, as it was started, can no longer work on the database. */
async function assertUnchanged(database: PostgresDatabase): Promise<void> {
  await assertSchema(database);
  const { layout, pool, guardRead } = database;
  const query: Query = (text) => guardRead(() => queryOn(pool)(text));
  if ((await findLayout(query)) !== layout)
    throw new Error('The database was distributed while this process ran: start it again.');
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
