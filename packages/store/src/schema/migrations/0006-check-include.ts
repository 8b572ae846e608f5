import type { Kysely } from 'kysely';

/** What the result of a check is to have besides; null where nothing was asked for. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('sod_check').addColumn('includes', 'text').execute();
}
