import { createEngineDatabase } from '@access-admin/harness';
import pg from 'pg';
import { inject } from 'vitest';
import { openSqliteConnection } from '../src/engine/sqlite/connection.ts';
import { openStore, type Store } from '../src/index.ts';

/** The source of databases of a suite. */
export interface StoreEngine {
  readonly name: Store['engine'];
  /** Opens a store on a database; `openStore` if left out. */
  open?(url: string): Promise<Store>;
  /** A new database of its own: empty, or a copy of a template that `migrate` creates. */
  createDatabase(migrate?: (url: string) => Promise<void>): Promise<{ readonly url: string; remove(): Promise<void> }>;
}

/** The engine that this run of the tests is for. */
export const ENGINE: StoreEngine = {
  name: inject('engine'),
  createDatabase: (migrate) => createEngineDatabase(inject('engine'), migrate),
};

export interface OpenedDatabase extends AsyncDisposable {
  readonly url: string;
  readonly store: Store;
  /** Another store on the same database, like that of another process. */
  openAnother(): Promise<Store>;
  /** Runs a statement as another program would, of which stores that are open already need not learn. */
  execute(sql: string): Promise<void>;
}

export const migrate = async (url: string) => (await openStore(url)).close();

/** A store on a new database; disposing closes every store on it and removes it. */
export async function openDatabase(engine: StoreEngine): Promise<OpenedDatabase> {
  const { url, remove } = await engine.createDatabase(migrate);
  const stores: Store[] = [];
  const openAnother = async () => {
    const store = await (engine.open ?? openStore)(url);
    stores.push(store);
    return store;
  };
  return {
    url,
    store: await openAnother(),
    openAnother,
    execute: (sql) => (engine.name === 'sqlite' ? executeOnSqlite(url, sql) : executeOnPostgres(url, sql)),
    [Symbol.asyncDispose]: async () => {
      for (const store of stores) await store.close();
      await remove();
    },
  };
}

async function executeOnSqlite(url: string, sql: string): Promise<void> {
  const connection = openSqliteConnection(url.slice('sqlite:'.length), 'readWrite');
  try {
    connection.exec(sql);
  } finally {
    connection.close();
  }
}

async function executeOnPostgres(connectionString: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
