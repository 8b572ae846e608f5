import { openStore, type Store } from '../src/index.ts';

/** The source of databases of a suite. */
export interface StoreEngine {
  readonly name: Store['engine'];
  /** A new database of its own: empty, or a copy of a template that `migrate` creates. */
  createDatabase(migrate?: (url: string) => Promise<void>): Promise<{ readonly url: string; remove(): Promise<void> }>;
}

export interface OpenedDatabase extends AsyncDisposable {
  readonly url: string;
  readonly store: Store;
  /** Another store on the same database, like that of another process. */
  openAnother(): Promise<Store>;
}

export const migrate = async (url: string) => (await openStore(url)).close();

/** A store on a new database; disposing closes every store on it and removes it. */
export async function openDatabase(engine: StoreEngine): Promise<OpenedDatabase> {
  const { url, remove } = await engine.createDatabase(migrate);
  const stores: Store[] = [];
  const openAnother = async () => {
    const store = await openStore(url);
    stores.push(store);
    return store;
  };
  return {
    url,
    store: await openAnother(),
    openAnother,
    [Symbol.asyncDispose]: async () => {
      for (const store of stores) await store.close();
      await remove();
    },
  };
}
