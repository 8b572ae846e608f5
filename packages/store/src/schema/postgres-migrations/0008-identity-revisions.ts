import type { Kysely } from 'kysely';

/** Whoever keeps a population in memory asks which identities have changed since. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.createIndex('identity_revision').on('identity').columns(['tenant', 'revision']).execute();
}
