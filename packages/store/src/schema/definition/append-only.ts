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

const refusing = (
  name: string,
  isGranted: string,
): string => `create function ${name}() returns trigger language plpgsql as
    $$begin
      if ${isGranted} then return old; end if;
      raise exception '${MESSAGE}';
    end$$`;

/** The functions that the triggers of PostgreSQL call to keep the audit log append-only. */
export const REFUSE_IN_POSTGRES: readonly string[] = [
  `create function refuse_change_of_audit_log() returns trigger language plpgsql as
    'begin raise exception ''${MESSAGE}''; end'`,
  refusing('refuse_removal_from_audit_log', IS_TENANT_REMOVED),
  refusing('refuse_removal_of_audit_event', `${IS_TENANT_REMOVED} or ${IS_ARCHIVED}`),
];
