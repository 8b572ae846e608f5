import { type Kysely, sql } from 'kysely';

/** The queue by tenant, so that workers can take turns; checks that were claimed before have an index of their own. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('sod_check_queue').execute();
  await db.schema.dropIndex('sod_check_backlog').execute();
  await db.schema.dropIndex('sod_check_claimed').execute();
  await db.schema
    .createIndex('sod_check_unclaimed')
    .on('sod_check')
    .columns(['tenant', 'created', 'request_id'])
    .where(sql<boolean>`state = 'PENDING' and attempts = 0`)
    .execute();
  await db.schema
    .createIndex('sod_check_claimed')
    .on('sod_check')
    // With all that is asked of it, so that nobody needs the rows.
    .columns(['claimable_at_ms', 'tenant', 'attempts'])
    .where(sql<boolean>`state = 'PENDING' and attempts > 0`)
    .execute();
}
