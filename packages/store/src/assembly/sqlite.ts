import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { assertSchema, migrate } from '../engine/migrate.ts';
import { createSqliteCheckWrites } from '../engine/sqlite/check-writes.ts';
import { openSqliteDatabase } from '../engine/sqlite/database.ts';
import { createSqliteHotReads } from '../engine/sqlite/hot-reads.ts';
import { createStore } from './create-store.ts';
import type { Store } from './store.ts';

/** Opens a store in a file, which is made, with its directory, where there is none, and brought up to date. Several processes may. */
export async function openSqliteStore({ path }: { readonly path: string }): Promise<Store> {
  const file = resolve(path);
  // It holds private keys: for nobody else to read. The files that SQLite puts beside it get the same mode.
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  closeSync(openSync(file, 'a', 0o600));
  const database = await openSqliteDatabase(file);
  try {
    await migrate(database);
    return createStore({
      engine: 'sqlite',
      database,
      hotReads: createSqliteHotReads(database),
      checkWrites: createSqliteCheckWrites(database),
      ping: () => assertSchema(database),
      onCommit: database.commits.subscribe,
      close: database.close,
    });
  } catch (error) {
    await database.close();
    throw error;
  }
}
