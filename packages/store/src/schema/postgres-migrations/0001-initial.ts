import { type Kysely, sql } from 'kysely';

/**
 * Every key begins with the tenant, but for the queue's order and what belongs to no tenant. Text is compared by its bytes,
 * as SQLite does, whatever the collation of the database.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const model = (table: string, columns: string) => `
  create table ${table} (
    tenant text collate "C" not null,
    id text collate "C" not null,
    name text collate "C" not null,
    ${columns},
    primary key (tenant, id)
  )`;

const STATEMENTS: readonly string[] = [
  `create table tenant (
    tenant text collate "C" not null primary key,
    policy_set_version integer not null,
    identity_revision bigint not null,
    iframe_whitelist text collate "C",
    username_label text collate "C",
    username_empty_text text collate "C",
    created text collate "C"
  )`,
  model(
    'oauth_client',
    `scopes text collate "C" not null,
    identity_id text collate "C",
    secret_hash text collate "C" not null,
    created text collate "C" not null`,
  ),
  // The token endpoint learns the tenant from the client.
  'create unique index oauth_client_id on oauth_client (id)',
  `create table signing_key (
    issuer text collate "C" not null primary key,
    kid text collate "C" not null,
    private_jwk text collate "C" not null,
    created text collate "C" not null
  )`,
  model('entitlement', 'source text collate "C"'),
  model('access_profile', 'entitlements text collate "C" not null'),
  model(
    'role',
    `access_profiles text collate "C" not null,
    entitlements text collate "C" not null`,
  ),
  model(
    'identity_profile',
    `type text collate "C" not null,
    off_network integer not null,
    untrusted_geography integer not null,
    application_id text collate "C",
    application_name text collate "C"`,
  ),
  `create table identity (
    tenant text collate "C" not null,
    id text collate "C" not null,
    revision bigint not null,
    capabilities text collate "C" not null,
    is_org_admin integer not null,
    identity_profile text collate "C" not null,
    uid text collate "C" not null,
    display_name text collate "C",
    alias text collate "C",
    firstname text collate "C",
    lastname text collate "C",
    email text collate "C",
    personal_email text collate "C",
    phone text collate "C",
    work_phone text collate "C",
    identification_number text collate "C",
    last_password_change_date text collate "C",
    last_login_timestamp bigint,
    current_login_timestamp bigint,
    last_unlock_timestamp text collate "C",
    access text collate "C" not null,
    primary key (tenant, id),
    foreign key (tenant, identity_profile) references identity_profile (tenant, id)
  )`,
  'create index identity_of_profile on identity (tenant, identity_profile)',
  'create index identity_org_admin on identity (tenant, id) where is_org_admin = 1',
  model(
    'sod_policy',
    `description text collate "C",
    state text collate "C" not null,
    level text collate "C" not null,
    type text collate "C" not null,
    criteria text collate "C" not null,
    external_policy_reference text collate "C",
    compensating_controls text collate "C",
    correction_advice text collate "C",
    tags text collate "C" not null,
    created text collate "C" not null,
    modified text collate "C" not null`,
  ),
  `create table sod_check (
    tenant text collate "C" not null,
    request_id text collate "C" not null,
    created text collate "C" not null,
    state text collate "C" not null,
    attempts integer not null,
    fence integer not null,
    claimable_at_ms bigint not null,
    identity_id text collate "C" not null,
    access_refs text collate "C" not null,
    client_metadata text collate "C",
    completed text collate "C",
    result text collate "C",
    primary key (tenant, request_id)
  )`,
  `create index sod_check_unclaimed on sod_check (tenant, created, request_id)
    where state = 'PENDING' and attempts = 0`,
  `create index sod_check_claimed on sod_check (claimable_at_ms, tenant, attempts)
    where state = 'PENDING' and attempts > 0`,
  `create table rulebook_change (
    tenant text collate "C" not null,
    policy_set_version integer not null,
    change_id text collate "C" not null,
    policies text collate "C",
    primary key (tenant, policy_set_version)
  )`,
  `create table rulebook_pack (
    tenant text collate "C" not null primary key,
    policy_set_version integer not null,
    change_id text collate "C" not null,
    digest text collate "C" not null,
    parts integer not null
  )`,
  `create table rulebook_pack_part (
    tenant text collate "C" not null,
    digest text collate "C" not null,
    part integer not null,
    bytes bytea not null,
    primary key (tenant, digest, part)
  )`,
  // By which transaction and write each tenant was changed last (where the tenant is empty: what belongs to none): what processes look at
  // to learn what the others have committed, and whether they have themselves.
  `create table tenant_change (
    tenant text collate "C" not null primary key,
    changed_by xid8 not null,
    write_id text collate "C" not null
  )`,
  'create index tenant_change_by on tenant_change (changed_by)',
];
