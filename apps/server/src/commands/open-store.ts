import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Config } from '@access-admin/api';
import { CommandFailure, calledWrongly } from '@access-admin/cli';
import { openStore, parseDatabaseUrl, type Store, UnsuitableAddress, whyNotOpened } from '@access-admin/store';
import { emptyDatabase } from '../database/sqlite-file.ts';
import type { ServerContext } from './context.ts';

/** Opens a store as `openConfiguredStore` does; a `CommandFailure` where SQLite would make the database, as in a wrong folder. */
export function openExistingStore(
  { folder }: Pick<ServerContext, 'folder'>,
  config: Pick<Config, 'databaseUrl'>,
): Promise<Store> {
  const address = parseDatabaseUrl(config.databaseUrl);
  if (address !== null && 'sqlitePath' in address) {
    const path = resolve(folder, address.sqlitePath);
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) throw new CommandFailure(`There is no database at ${path}.`);
    if (found.size === 0) throw new CommandFailure(emptyDatabase(path));
  }
  return openConfiguredStore(config);
}

/** Opens the store of the configuration, and migrates it. Throws a `CommandFailure` that says why it cannot be opened. */
export async function openConfiguredStore({ databaseUrl }: Pick<Config, 'databaseUrl'>): Promise<Store> {
  try {
    return await openStore(databaseUrl);
  } catch (error) {
    throw notOpened(databaseUrl, error);
  }
}

/** The failure of a command whose store cannot be opened. */
export const notOpened = (databaseUrl: string, error: unknown): CommandFailure => {
  const text = whyNotOpened(databaseUrl, error);
  return error instanceof UnsuitableAddress ? calledWrongly(text) : new CommandFailure(text);
};
