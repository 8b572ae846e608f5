import { type Kysely, sql } from 'kysely';

/** The audit log: rows are added, and neither changed nor removed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS: readonly string[] = [
  `create table audit_event (
    tenant text collate "C" not null,
    sequence bigint not null,
    time text collate "C" not null,
    client_id text collate "C" not null,
    identity_id text collate "C",
    operation text collate "C" not null,
    resource_type text collate "C" not null,
    resource_id text collate "C",
    outcome text collate "C" not null,
    changes text collate "C" not null,
    tracking_id text collate "C" not null,
    previous_hash text collate "C",
    hash text collate "C" not null,
    primary key (tenant, sequence)
  )`,
  'create index audit_event_time on audit_event (tenant, time)',
  'create index audit_event_client on audit_event (tenant, client_id, sequence)',
  'create index audit_event_identity on audit_event (tenant, identity_id, sequence)',
  'create index audit_event_resource on audit_event (tenant, resource_id, sequence)',
  'create index audit_event_resource_type on audit_event (tenant, resource_type, sequence)',
  'create index audit_event_operation on audit_event (tenant, operation, sequence)',
  'create index audit_event_outcome on audit_event (tenant, outcome, sequence)',
  `create table audit_head (
    tenant text collate "C" not null primary key,
    sequence bigint not null,
    hash text collate "C"
  )`,
  `create function refuse_change_of_audit_log() returns trigger language plpgsql as
    'begin raise exception ''the audit log is append-only''; end'`,
  `create trigger audit_event_is_append_only before update or delete or truncate on audit_event
    for each statement execute function refuse_change_of_audit_log()`,
];
