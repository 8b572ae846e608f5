import { TABLES } from './baseline-tables.ts';
import { createTable, type Engine } from './columns.ts';

const KEYS: Readonly<Record<keyof typeof TABLES, string>> = {
  tenant: 'tenant',
  oauth_client: 'tenant, id',
  oauth_client_origin: 'tenant, client_id, maker_id',
  identity_tie: 'tenant, identity_id, maker_id',
  signing_key: 'issuer',
  entitlement: 'tenant, id',
  access_profile: 'tenant, id',
  role: 'tenant, id',
  identity_profile: 'tenant, id',
  identity: 'tenant, id',
  sod_policy: 'tenant, id',
  sod_exception: 'tenant, id',
  sod_check: 'tenant, request_id',
  rulebook_change: 'tenant, policy_set_version',
  audit_event: 'tenant, sequence',
  audit_event_member: 'tenant, resource_id, sequence',
  audit_head: 'tenant',
  sod_report: 'tenant, report_id',
  sod_report_request: 'tenant, report_id, part',
  sod_report_policy: 'tenant, report_id, fence, number',
  sod_report_block: 'tenant, report_id, fence, number, run',
};

const INDEXES: readonly string[] = [
  // The token endpoint learns the tenant from the client.
  'create unique index oauth_client_id on oauth_client (id)',
  'create index identity_tie_made on identity_tie (tenant, made_ms)',
  'create index identity_tie_maker on identity_tie (tenant, maker_id)',
  'create index identity_of_profile on identity (tenant, identity_profile)',
  // Not a unique one: an import may exchange the uids of two identities. Imports of a tenant are one at a time.
  'create index identity_uid on identity (tenant, uid_folded)',
  'create index identity_org_admin on identity (tenant, id) where is_org_admin = 1',
  // Few identities have a capability.
  "create index identity_with_capabilities on identity (tenant, identity_profile) where capabilities <> '[]'",
  // Finds the identities that have changed since a revision.
  'create index identity_revision on identity (tenant, revision)',
  // Serves the exceptions that may be live, which are few among many that have ended.
  'create index sod_exception_open on sod_exception (tenant, ends, id) where revoked is null and voided is null',
  'create index sod_exception_identity on sod_exception (tenant, identity_id, id)',
  // A policy and an identity have one live exception at most.
  `create unique index sod_exception_pair on sod_exception (tenant, identity_id, policy_id)
    where revoked is null and voided is null`,
  'create index sod_exception_policy on sod_exception (tenant, policy_id, id)',
  // Each covers its queries, so that they read no rows.
  `create index sod_check_unclaimed on sod_check (tenant, created, request_id, identity_id)
    where state = 'PENDING' and attempts = 0`,
  `create index sod_check_claimed on sod_check (claimable_at_ms, tenant, attempts)
    where state = 'PENDING' and attempts > 0`,
  // Serve lists of checks, in their order. A check is in them once it is done, so that storing one costs no more.
  'create index sod_check_done on sod_check (tenant, state, created, request_id) where completed is not null',
  `create index sod_check_done_identity on sod_check (tenant, identity_id, state, created, request_id)
    where completed is not null`,
  'create index audit_event_time on audit_event (tenant, time)',
  'create index audit_event_client on audit_event (tenant, client_id, sequence)',
  // Most events of imports are those of applications.
  'create index audit_event_identity on audit_event (tenant, identity_id, sequence) where identity_id is not null',
  'create index audit_event_resource on audit_event (tenant, resource_id, sequence)',
  'create index audit_event_resource_type on audit_event (tenant, resource_type, sequence)',
  'create index audit_event_operation on audit_event (tenant, operation, sequence)',
  'create index audit_event_outcome on audit_event (tenant, outcome, sequence)',
  'create index sod_report_open on sod_report (tenant, created) where completed is null',
  'create index sod_report_claimed on sod_report (tenant, claimed_at_ms)',
  'create index sod_report_completed on sod_report (completed) where completed is not null',
  'create index sod_report_policy_id on sod_report_policy (tenant, report_id, fence, policy_id)',
];

const REFUSE_IN_SQLITE = `begin select raise(abort, 'the audit log is append-only'); end`;

/** What one engine needs besides, above all the guards of the append-only audit log. */
const ONLY: Readonly<Record<Engine, readonly string[]>> = {
  sqlite: [
    `create trigger audit_event_is_not_changed before update on audit_event ${REFUSE_IN_SQLITE}`,
    `create trigger audit_event_is_not_removed before delete on audit_event ${REFUSE_IN_SQLITE}`,
    // A replacing insert deletes without calling the delete trigger.
    `create trigger audit_event_is_not_replaced before insert on audit_event
      when exists (select 1 from audit_event where tenant = new.tenant and sequence = new.sequence) ${REFUSE_IN_SQLITE}`,
    `create trigger audit_event_member_is_not_changed before update on audit_event_member ${REFUSE_IN_SQLITE}`,
    `create trigger audit_event_member_is_not_removed before delete on audit_event_member ${REFUSE_IN_SQLITE}`,
    `create trigger audit_head_is_not_removed before delete on audit_head ${REFUSE_IN_SQLITE}`,
  ],
  postgres: [
    // The transaction and the write that changed each tenant last; an empty tenant stands for shared data. Processes read
    // it to learn what others have committed, and whether their own write was.
    createTable('postgres', 'tenant_change', [
      { tenant: 'text' },
      'changed_by xid8 not null',
      'write_id text collate "C" not null',
      'primary key (tenant)',
    ]),
    'create index tenant_change_by on tenant_change (changed_by)',
    `create function refuse_change_of_audit_log() returns trigger language plpgsql as
      'begin raise exception ''the audit log is append-only''; end'`,
    `create trigger audit_event_is_append_only before update or delete or truncate on audit_event
      for each statement execute function refuse_change_of_audit_log()`,
    `create trigger audit_event_member_is_append_only before update or delete or truncate on audit_event_member
      for each statement execute function refuse_change_of_audit_log()`,
    // A tenant without head could not be changed any more: its log would start again where there are events.
    `create trigger audit_head_is_not_removed before delete or truncate on audit_head
      for each statement execute function refuse_change_of_audit_log()`,
  ],
};

const FOREIGN_KEY = 'foreign key (tenant, identity_profile) references identity_profile (tenant, id)';
// SQLite stores these rows in the order of their key.
const CLUSTERED: readonly string[] = ['audit_event_member', 'identity_tie', 'sod_report_policy'];

/** Creates the schema of an empty database. */
export function baseline(engine: Engine): readonly string[] {
  const tables = Object.entries(TABLES).map(([name, columns]) => {
    const constraints = [
      `primary key (${KEYS[name as keyof typeof TABLES]})`,
      ...(name === 'identity' ? [FOREIGN_KEY] : []),
    ];
    const table = createTable(engine, name, [columns, ...constraints]);
    return engine === 'sqlite' && CLUSTERED.includes(name) ? `${table} without rowid` : table;
  });
  return [...tables, ...INDEXES, ...ONLY[engine]];
}
