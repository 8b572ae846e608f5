import { DATABASE_URL_RULE, parseDatabaseUrl } from './database-url.ts';
import { openPostgresStore } from './postgres.ts';
import { openSqliteStore } from './sqlite.ts';
import type { Store } from './store.ts';

/** Opens the store that a `DATABASE_URL` names. */
export async function openStore(databaseUrl: string): Promise<Store> {
  const place = parseDatabaseUrl(databaseUrl);
  // The URL may contain a password, so the message does not repeat it.
  if (place === null) throw new Error(`The database URL must be ${DATABASE_URL_RULE}.`);
  return 'sqlitePath' in place
    ? openSqliteStore({ path: place.sqlitePath })
    : openPostgresStore({ url: place.postgresUrl });
}
