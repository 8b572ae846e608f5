import pg from 'pg';
import { findLayout } from '../src/engine/citus/layout.ts';
import type { Database } from '../src/engine/database.ts';
import { openPostgresDatabase } from '../src/engine/postgres/database.ts';
import { POSTGRES_LIMITS } from '../src/engine/postgres/limits.ts';
import { queryOn } from '../src/engine/run-query.ts';
import { openSqliteDatabase } from '../src/engine/sqlite/database.ts';
import { migrationsOf } from '../src/schema/migrations.ts';

export type EngineDatabase = Database & { close(): Promise<void> };

/** The database of a migrated store, beside the store: for transactions that no method of it makes. */
export const openEngineDatabase = async (url: string): Promise<EngineDatabase> =>
  url.startsWith('sqlite:') ? openSqliteDatabase(url.slice('sqlite:'.length)) : openOnServer(url);

async function openOnServer(url: string): Promise<EngineDatabase> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const layout = await findLayout(queryOn(client));
  await client.end();
  return openPostgresDatabase({ url, migrations: migrationsOf('postgres'), limits: POSTGRES_LIMITS, layout });
}
