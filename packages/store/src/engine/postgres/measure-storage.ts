import { sql } from 'kysely';
import type { Database } from '../database.ts';
import type { StorageMeasure } from '../storage-measure.ts';

/** The bytes of the database; its disk is that of the server. */
export async function measurePostgresStorage({ read }: Pick<Database, 'read'>): Promise<StorageMeasure> {
  const { rows } = await read((db) =>
    sql<{ bytes: number | string }>`select pg_database_size(current_database()) as bytes`.execute(db),
  );
  return { databaseBytes: Number(rows[0]?.bytes ?? 0), disk: null };
}
