import { openPostgresDatabase } from '../engine/postgres/database.ts';
import { POSTGRES_LIMITS } from '../engine/postgres/limits.ts';
import { migratePostgres } from '../engine/postgres/migrate.ts';
import { migrationsOf } from '../schema/migrations.ts';
import { createTenantMoveStore, type TenantMoveStore } from '../tenants/move/store.ts';

/** Opens a PostgreSQL database for moves of tenants, and migrates it: both ends of a move have the same schema. */
export async function openTenantMoves(url: string): Promise<TenantMoveStore & AsyncDisposable> {
  const migrations = migrationsOf('postgres');
  const { layout } = await migratePostgres(url, migrations);
  const database = openPostgresDatabase({ url, migrations, limits: POSTGRES_LIMITS, layout });
  return { ...createTenantMoveStore(database), [Symbol.asyncDispose]: database.close };
}
