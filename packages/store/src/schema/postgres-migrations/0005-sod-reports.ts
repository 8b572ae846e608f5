import { type Kysely, sql } from 'kysely';

/** Reports: each a row that is queue entry and summary, what it was asked, and what it found under the fence of who found it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS: readonly string[] = [
  `create table sod_report (
    tenant text collate "C" not null,
    report_id text collate "C" not null,
    kind text collate "C" not null,
    created text collate "C" not null,
    state text collate "C" not null,
    attempts integer not null,
    fence integer not null,
    claimable_at_ms bigint not null,
    claimed_at_ms bigint not null,
    progress double precision not null,
    request text collate "C",
    completed text collate "C",
    policy_set_version integer,
    as_of text collate "C",
    message text collate "C",
    identities integer not null,
    new_count bigint not null,
    same_count bigint not null,
    gone_count bigint not null,
    primary key (tenant, report_id)
  )`,
  'create index sod_report_open on sod_report (tenant, created) where completed is null',
  'create index sod_report_claimed on sod_report (tenant, claimed_at_ms)',
  'create index sod_report_completed on sod_report (completed) where completed is not null',
  `create table sod_report_request (
    tenant text collate "C" not null,
    report_id text collate "C" not null,
    part integer not null,
    content text collate "C" not null,
    primary key (tenant, report_id, part)
  )`,
  `create table sod_report_policy (
    tenant text collate "C" not null,
    report_id text collate "C" not null,
    fence integer not null,
    number integer not null,
    policy_id text collate "C" not null,
    name text collate "C" not null,
    level text collate "C" not null,
    new_count bigint not null,
    same_count bigint not null,
    gone_count bigint not null,
    new_before bigint not null,
    same_before bigint not null,
    gone_before bigint not null,
    sides_before text collate "C",
    sides_after text collate "C",
    primary key (tenant, report_id, fence, number)
  )`,
  'create index sod_report_policy_id on sod_report_policy (tenant, report_id, fence, policy_id)',
  `create table sod_report_block (
    tenant text collate "C" not null,
    report_id text collate "C" not null,
    fence integer not null,
    number integer not null,
    run integer not null,
    new_count integer not null,
    same_count integer not null,
    gone_count integer not null,
    content text collate "C" not null,
    primary key (tenant, report_id, fence, number, run)
  )`,
];
