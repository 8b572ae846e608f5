import { DATABASE_URL_RULE, parseDatabaseUrl } from './database-url.ts';
import { openPostgresStore } from './postgres.ts';
import { openSqliteStore } from './sqlite.ts';
import type { Store } from './store.ts';

interface OpenOptions {
  /** Whether what is mailed is stored with what it tells of; not if left out. */
  readonly mails?: boolean;
}

/** Opens the store that a `DATABASE_URL` names. */
export async function openStore(databaseUrl: string, { mails }: OpenOptions = {}): Promise<Store> {
  const place = parseDatabaseUrl(databaseUrl);
  // The URL may contain a password, so the message does not repeat it.
  if (place === null) throw new Error(`The database URL must be ${DATABASE_URL_RULE}.`);
  return 'sqlitePath' in place
    ? openSqliteStore({ path: place.sqlitePath, mails })
    : openPostgresStore({ url: place.postgresUrl, mails });
}
