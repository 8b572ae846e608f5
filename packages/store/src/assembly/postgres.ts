import { StorageUnavailable } from '../engine/errors.ts';
import { assertSchema } from '../engine/migrate.ts';
import { createPostgresCheckWrites } from '../engine/postgres/check-writes.ts';
import { openPostgresDatabase } from '../engine/postgres/database.ts';
import { createPostgresHotReads } from '../engine/postgres/hot-reads.ts';
import { migratePostgres } from '../engine/postgres/migrate.ts';
import { createStore } from './create-store.ts';
import type { Store } from './store.ts';

const PING_MS_MAX = 500;

/** Opens a store in a PostgreSQL database, which is brought up to date. Several processes may. */
export async function openPostgresStore({ url }: { readonly url: string }): Promise<Store> {
  await migratePostgres(url);
  const database = openPostgresDatabase(url);
  return createStore({
    engine: 'postgres',
    database,
    hotReads: createPostgresHotReads(database),
    checkWrites: createPostgresCheckWrites(database),
    ping: () => inTime(assertSchema(database)),
    onCommit: database.commits.subscribe,
    close: database.close,
  });
}

/** Who asks whether the storage is there wants to know now. */
async function inTime(answer: Promise<void>): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new StorageUnavailable('The storage gives no answer.')), PING_MS_MAX);
  try {
    await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
