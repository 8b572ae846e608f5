import { type Kysely, sql } from 'kysely';

/** Every key begins with the tenant, but for the queue's order and the token endpoint, which learns the tenant from the client. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createTenancy(db);
  await createAccessModel(db);
  await createIdentities(db);
  await createSodPolicies(db);
  await createSodChecks(db);
}

async function createTenancy(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('tenant')
    .addColumn('tenant', 'text', (column) => column.notNull().primaryKey())
    .addColumn('policy_set_version', 'integer', (column) => column.notNull())
    .addColumn('identity_revision', 'bigint', (column) => column.notNull())
    .addColumn('iframe_whitelist', 'text')
    .addColumn('username_label', 'text')
    .addColumn('username_empty_text', 'text')
    .addColumn('created', 'text')
    .execute();
  await modelTable(db, 'oauth_client')
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('identity_id', 'text')
    .addColumn('secret_hash', 'text', (column) => column.notNull())
    .addColumn('created', 'text', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('oauth_client_id').unique().on('oauth_client').column('id').execute();
  await db.schema
    .createTable('signing_key')
    .addColumn('issuer', 'text', (column) => column.notNull().primaryKey())
    .addColumn('kid', 'text', (column) => column.notNull())
    .addColumn('private_jwk', 'text', (column) => column.notNull())
    .addColumn('created', 'text', (column) => column.notNull())
    .execute();
}

async function createAccessModel(db: Kysely<unknown>): Promise<void> {
  await modelTable(db, 'entitlement').addColumn('source', 'text').execute();
  await modelTable(db, 'access_profile')
    .addColumn('entitlements', 'text', (column) => column.notNull())
    .execute();
  await modelTable(db, 'role')
    .addColumn('access_profiles', 'text', (column) => column.notNull())
    .addColumn('entitlements', 'text', (column) => column.notNull())
    .execute();
  await modelTable(db, 'identity_profile')
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('off_network', 'integer', (column) => column.notNull())
    .addColumn('untrusted_geography', 'integer', (column) => column.notNull())
    .addColumn('application_id', 'text')
    .addColumn('application_name', 'text')
    .execute();
}

// What every request reads comes first, the long `access` last: SQLite walks a row from its start.
async function createIdentities(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('identity')
    .addColumn('tenant', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('revision', 'bigint', (column) => column.notNull())
    .addColumn('capabilities', 'text', (column) => column.notNull())
    .addColumn('is_org_admin', 'integer', (column) => column.notNull())
    .addColumn('identity_profile', 'text', (column) => column.notNull())
    .addColumn('uid', 'text', (column) => column.notNull())
    .addColumn('display_name', 'text')
    .addColumn('alias', 'text')
    .addColumn('firstname', 'text')
    .addColumn('lastname', 'text')
    .addColumn('email', 'text')
    .addColumn('personal_email', 'text')
    .addColumn('phone', 'text')
    .addColumn('work_phone', 'text')
    .addColumn('identification_number', 'text')
    .addColumn('last_password_change_date', 'text')
    .addColumn('last_login_timestamp', 'bigint')
    .addColumn('current_login_timestamp', 'bigint')
    .addColumn('last_unlock_timestamp', 'text')
    .addColumn('access', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('identity_key', ['tenant', 'id'])
    .addForeignKeyConstraint('identity_profile_exists', ['tenant', 'identity_profile'], 'identity_profile', [
      'tenant',
      'id',
    ])
    .execute();
  await db.schema.createIndex('identity_of_profile').on('identity').columns(['tenant', 'identity_profile']).execute();
  await db.schema
    .createIndex('identity_org_admin')
    .on('identity')
    .columns(['tenant', 'id'])
    .where(sql<boolean>`is_org_admin = 1`)
    .execute();
}

async function createSodPolicies(db: Kysely<unknown>): Promise<void> {
  await modelTable(db, 'sod_policy')
    .addColumn('description', 'text')
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('level', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('criteria', 'text', (column) => column.notNull())
    .addColumn('external_policy_reference', 'text')
    .addColumn('compensating_controls', 'text')
    .addColumn('correction_advice', 'text')
    .addColumn('tags', 'text', (column) => column.notNull())
    .addColumn('created', 'text', (column) => column.notNull())
    .addColumn('modified', 'text', (column) => column.notNull())
    .execute();
}

async function createSodChecks(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('sod_check')
    .addColumn('tenant', 'text', (column) => column.notNull())
    .addColumn('request_id', 'text', (column) => column.notNull())
    .addColumn('created', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('fence', 'integer', (column) => column.notNull())
    .addColumn('claimable_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('identity_id', 'text', (column) => column.notNull())
    .addColumn('access_refs', 'text', (column) => column.notNull())
    .addColumn('client_metadata', 'text')
    .addColumn('completed', 'text')
    .addColumn('result', 'text')
    .addPrimaryKeyConstraint('sod_check_key', ['tenant', 'request_id'])
    .execute();
  const pendingIndex = (name: string) =>
    db.schema.createIndex(name).on('sod_check').where(sql<boolean>`state = 'PENDING'`);
  await pendingIndex('sod_check_queue').columns(['created', 'tenant', 'request_id']).execute();
  await pendingIndex('sod_check_backlog').column('tenant').execute();
  await pendingIndex('sod_check_claimed').column('claimable_at_ms').where(sql<boolean>`attempts > 0`).execute();
}

function modelTable(db: Kysely<unknown>, table: string) {
  return db.schema
    .createTable(table)
    .addColumn('tenant', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint(`${table}_key`, ['tenant', 'id']);
}
