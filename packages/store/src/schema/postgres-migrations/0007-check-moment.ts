import type { Kysely } from 'kysely';

/** The only moment that counts for a check; null where every one from its evaluation on does. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('sod_check').addColumn('at_moment', 'text').execute();
}
