import type { Database } from '../src/engine/database.ts';
import { openPostgresDatabase } from '../src/engine/postgres/database.ts';
import { POSTGRES_LIMITS } from '../src/engine/postgres/limits.ts';
import { openSqliteDatabase } from '../src/engine/sqlite/database.ts';
import { migrationsOf } from '../src/schema/migrations.ts';

type EngineDatabase = Database & { close(): Promise<void> };

/** The database of a migrated store, beside the store: for transactions that no method of it makes. */
export const openEngineDatabase = async (url: string): Promise<EngineDatabase> =>
  url.startsWith('sqlite:')
    ? openSqliteDatabase(url.slice('sqlite:'.length))
    : openPostgresDatabase({ url, migrations: migrationsOf('postgres'), limits: POSTGRES_LIMITS });
