import { createEngineDatabase } from '@access-admin/harness';
import { openStore, type Store } from '../src/index.ts';
import { openEngineDatabase } from './engine-database.ts';
import { migrate } from './store-engine.ts';

/** A database that the tests of a file share, with a store on it. */
export async function openShared(engine: Store['engine']) {
  const { url, remove } = await createEngineDatabase(engine, migrate);
  const store = await openStore(url);
  const database = await openEngineDatabase(url);
  const close = async () => {
    await Promise.all([store.close(), database.close()]);
    await remove();
  };
  return { url, store, database, close };
}

export type Shared = Awaited<ReturnType<typeof openShared>>;
