import { createEngineDatabase } from '@access-admin/harness';
import { openPostgresDatabase } from '../src/engine/postgres/database.ts';
import { POSTGRES_LIMITS } from '../src/engine/postgres/limits.ts';
import { openSqliteDatabase } from '../src/engine/sqlite/database.ts';
import { openStore, type Store } from '../src/index.ts';
import { migrationsOf } from '../src/schema/migrations.ts';
import { migrate } from './store-engine.ts';

/** A database that the tests of a file share, with a store on it. */
export async function openShared(engine: Store['engine']) {
  const { url, remove } = await createEngineDatabase(engine, migrate);
  const store = await openStore(url);
  const database =
    engine === 'sqlite'
      ? await openSqliteDatabase(url.slice('sqlite:'.length))
      : openPostgresDatabase({ url, migrations: migrationsOf('postgres'), limits: POSTGRES_LIMITS });
  const close = async () => {
    await Promise.all([store.close(), database.close()]);
    await remove();
  };
  return { url, store, database, close };
}

export type Shared = Awaited<ReturnType<typeof openShared>>;
