import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { createAccessModelStore } from './access-model-store.ts';
import { createAuthProfileStore } from './auth-profile-store.ts';
import { createAuthUserStore } from './auth-user-store.ts';
import { createCheckQueue } from './check-queue.ts';
import { createClientStore } from './client-store.ts';
import { assertSchema, migrate } from './migrate.ts';
import { createSigningKeyStore } from './signing-key-store.ts';
import { createSodStore } from './sod-store.ts';
import { openSqliteDatabase, type SqliteDatabase } from './sqlite-database.ts';
import { createSqliteEnqueue } from './sqlite-enqueue.ts';
import { createSqliteHotReads } from './sqlite-hot-reads.ts';
import type { Store } from './store.ts';
import { createUiMetadataStore } from './ui-metadata-store.ts';

/** Opens a store in a file, which is made, with its directory, where there is none, and brought up to date. Several processes may. */
export async function openSqliteStore({ path }: { readonly path: string }): Promise<Store> {
  const file = resolve(path);
  // It holds private keys: for nobody else to read. The files that SQLite puts beside it get the same mode.
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  closeSync(openSync(file, 'a', 0o600));
  const database = await openSqliteDatabase(file);
  try {
    await migrate(database);
    return createSqliteStore(database);
  } catch (error) {
    await database.close();
    throw error;
  }
}

function createSqliteStore(database: SqliteDatabase): Store {
  const hotReads = createSqliteHotReads(database);
  let closed: Promise<void> | null = null;
  const close = () => {
    closed ??= database.close();
    return closed;
  };
  return {
    engine: 'sqlite',
    clients: createClientStore(database, hotReads),
    signingKeys: createSigningKeyStore(database),
    authUsers: createAuthUserStore(database),
    authProfiles: createAuthProfileStore(database),
    uiMetadata: createUiMetadataStore(database),
    accessModel: createAccessModelStore(database),
    sod: createSodStore(database, hotReads),
    checks: createCheckQueue(database, createSqliteEnqueue(database)),
    ping: () => assertSchema(database),
    onCommit: database.commits.subscribe,
    close,
    [Symbol.asyncDispose]: close,
  };
}
