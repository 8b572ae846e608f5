import { type Kysely, sql } from 'kysely';

/** What each policy-set version changed, and compiled rulebooks; keys begin with the tenant. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('rulebook_change')
    .addColumn('tenant', 'text', (column) => column.notNull())
    .addColumn('policy_set_version', 'integer', (column) => column.notNull())
    .addColumn('change_id', 'text', (column) => column.notNull())
    .addColumn('policies', 'text')
    .addPrimaryKeyConstraint('rulebook_change_key', ['tenant', 'policy_set_version'])
    .execute();
  // The versions that are there: changes and packs build on them.
  await sql`
    insert into rulebook_change (tenant, policy_set_version, change_id, policies)
    select tenant, policy_set_version, lower(hex(randomblob(8))), null from tenant where policy_set_version > 0
  `.execute(db);
  await db.schema
    .createTable('rulebook_pack')
    .addColumn('tenant', 'text', (column) => column.notNull().primaryKey())
    .addColumn('policy_set_version', 'integer', (column) => column.notNull())
    .addColumn('change_id', 'text', (column) => column.notNull())
    .addColumn('digest', 'text', (column) => column.notNull())
    .addColumn('parts', 'integer', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('rulebook_pack_part')
    .addColumn('tenant', 'text', (column) => column.notNull())
    .addColumn('digest', 'text', (column) => column.notNull())
    .addColumn('part', 'integer', (column) => column.notNull())
    .addColumn('bytes', 'blob', (column) => column.notNull())
    .addPrimaryKeyConstraint('rulebook_pack_part_key', ['tenant', 'digest', 'part'])
    .execute();
}
