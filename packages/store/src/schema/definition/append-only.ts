const MESSAGE = 'the audit log is append-only';

/** What the triggers of SQLite do that keep the audit log append-only. */
export const REFUSE_IN_SQLITE = `begin select raise(abort, '${MESSAGE}'); end`;

const IS_TENANT_REMOVED = 'exists (select 1 from tenant_removal where tenant_removal.tenant = old.tenant)';
const IS_ARCHIVED = `exists (select 1 from audit_head
  where audit_head.tenant = old.tenant and audit_head.first_sequence > old.sequence)`;

/** What a delete trigger of SQLite does: it refuses to remove a row of the audit log, unless the whole tenant is being removed. */
export const REFUSE_REMOVAL_IN_SQLITE = `when not ${IS_TENANT_REMOVED} ${REFUSE_IN_SQLITE}`;

/** As `REFUSE_REMOVAL_IN_SQLITE`, for the rows of an event: they may also be removed once the log begins after it. */
export const REFUSE_REMOVAL_OF_EVENT_IN_SQLITE = `when not ${IS_TENANT_REMOVED} and not ${IS_ARCHIVED} ${REFUSE_IN_SQLITE}`;

/** The properties of an event that an erasure may change: those that can have the id of a person. */
const IS_ERASED = `new.erased is not null and new.tenant = old.tenant and new.sequence = old.sequence
  and new.time = old.time and new.client_id = old.client_id and new.operation = old.operation
  and new.resource_type = old.resource_type and new.outcome = old.outcome and new.tracking_id = old.tracking_id
  and new.previous_hash is not distinct from old.previous_hash and new.hash = old.hash
  and exists (
    select 1 from identity_erasure as erasure where erasure.tenant = old.tenant and erasure.id is not null
      and (new.identity_id is not distinct from old.identity_id
        or (old.identity_id = erasure.id and new.identity_id = erasure.pseudonym))
      and (new.resource_id is not distinct from old.resource_id
        or (old.resource_id = erasure.id and new.resource_id = erasure.pseudonym))
  )`;
const IS_MEMBER_ERASED = `new.tenant = old.tenant and new.sequence = old.sequence and exists (
  select 1 from identity_erasure as erasure where erasure.tenant = old.tenant
    and erasure.id = old.resource_id and erasure.pseudonym = new.resource_id
)`;

/** What an update trigger of SQLite does: it refuses to change an event, unless a person is being erased from it. */
export const REFUSE_CHANGE_OF_EVENT_IN_SQLITE = `when not (${IS_ERASED}) ${REFUSE_IN_SQLITE}`;

/** As `REFUSE_CHANGE_OF_EVENT_IN_SQLITE`, for the ids that an event is found by. */
export const REFUSE_CHANGE_OF_MEMBER_IN_SQLITE = `when not (${IS_MEMBER_ERASED}) ${REFUSE_IN_SQLITE}`;

interface Refusing {
  readonly name: string;
  readonly isGranted: string;
  /** The row that a granted statement goes on with. */
  readonly row: 'old' | 'new';
}

const refusing = ({
  name,
  isGranted,
  row,
}: Refusing): string => `create function ${name}() returns trigger language plpgsql as
    $$begin
      if ${isGranted} then return ${row}; end if;
      raise exception '${MESSAGE}';
    end$$`;

/** The functions that the triggers of PostgreSQL call to keep the audit log append-only. */
export const REFUSE_IN_POSTGRES: readonly string[] = [
  `create function refuse_change_of_audit_log() returns trigger language plpgsql as
    'begin raise exception ''${MESSAGE}''; end'`,
  refusing({ name: 'refuse_removal_from_audit_log', isGranted: IS_TENANT_REMOVED, row: 'old' }),
  refusing({ name: 'refuse_removal_of_audit_event', isGranted: `${IS_TENANT_REMOVED} or ${IS_ARCHIVED}`, row: 'old' }),
  refusing({ name: 'refuse_change_of_audit_event', isGranted: IS_ERASED, row: 'new' }),
  refusing({ name: 'refuse_change_of_audit_member', isGranted: IS_MEMBER_ERASED, row: 'new' }),
];
