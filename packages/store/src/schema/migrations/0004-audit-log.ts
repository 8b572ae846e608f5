import { type Kysely, sql } from 'kysely';

/** The audit log: rows are added, and neither changed nor removed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS: readonly string[] = [
  `create table audit_event (
    tenant text not null,
    sequence integer not null,
    time text not null,
    client_id text not null,
    identity_id text,
    operation text not null,
    resource_type text not null,
    resource_id text,
    outcome text not null,
    changes text not null,
    tracking_id text not null,
    previous_hash text,
    hash text not null,
    primary key (tenant, sequence)
  ) without rowid`,
  'create index audit_event_time on audit_event (tenant, time)',
  'create index audit_event_client on audit_event (tenant, client_id, sequence)',
  'create index audit_event_identity on audit_event (tenant, identity_id, sequence)',
  'create index audit_event_resource on audit_event (tenant, resource_id, sequence)',
  'create index audit_event_resource_type on audit_event (tenant, resource_type, sequence)',
  'create index audit_event_operation on audit_event (tenant, operation, sequence)',
  'create index audit_event_outcome on audit_event (tenant, outcome, sequence)',
  'create table audit_head (tenant text not null primary key, sequence integer not null, hash text)',
  `create trigger audit_event_is_not_changed before update on audit_event
    begin select raise(abort, 'the audit log is append-only'); end`,
  `create trigger audit_event_is_not_removed before delete on audit_event
    begin select raise(abort, 'the audit log is append-only'); end`,
];
