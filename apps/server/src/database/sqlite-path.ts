import { resolve } from 'node:path';
import { calledWrongly } from '@access-admin/cli';
import { DATABASE_URL_RULE, parseDatabaseUrl } from '@access-admin/store';

/** The path of the SQLite database of `DATABASE_URL`. Throws a `CommandFailure` where that names no file. */
export function sqlitePathOf({
  env,
  folder,
}: {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
}): string {
  const address = parseDatabaseUrl(env['DATABASE_URL'] || 'sqlite:var/access-admin.db');
  // The address may hold a password, so the message does not repeat it.
  if (address === null) throw calledWrongly(`DATABASE_URL must be ${DATABASE_URL_RULE}.`);
  if ('sqlitePath' in address) return resolve(folder, address.sqlitePath);
  throw calledWrongly(
    'DATABASE_URL names a PostgreSQL database: use pg_dump and pg_restore, see docs/operations/running.md.',
  );
}
