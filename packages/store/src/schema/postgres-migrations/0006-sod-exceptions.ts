import { type Kysely, sql } from 'kysely';

/** Exceptions from SOD policies. They stay when their policy or identity goes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS: readonly string[] = [
  `create table sod_exception (
    tenant text collate "C" not null,
    id text collate "C" not null,
    policy_id text collate "C" not null,
    identity_id text collate "C" not null,
    starts text collate "C" not null,
    ends text collate "C" not null,
    justification text collate "C" not null,
    requester_id text collate "C" not null,
    created text collate "C" not null,
    approver_id text collate "C",
    approved text collate "C",
    revoker_id text collate "C",
    revoked text collate "C",
    voided text collate "C",
    primary key (tenant, id)
  )`,
  // Those that may be live, which each change of the access model looks at: few among many that have ended.
  `create index sod_exception_open on sod_exception (tenant, ends, id)
    where revoked is null and voided is null`,
  'create index sod_exception_identity on sod_exception (tenant, identity_id, id)',
  'create index sod_exception_pair on sod_exception (tenant, identity_id, policy_id)',
  'create index sod_exception_policy on sod_exception (tenant, policy_id, id)',
];
