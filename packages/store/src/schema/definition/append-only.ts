const MESSAGE = 'the audit log is append-only';

/** What the triggers of SQLite do that keep the audit log append-only. */
export const REFUSE_IN_SQLITE = `begin select raise(abort, '${MESSAGE}'); end`;

/** What a delete trigger of SQLite does: it refuses to remove a row of the audit log, unless the whole tenant is being removed. */
export const REFUSE_REMOVAL_IN_SQLITE = `
  when not exists (select 1 from tenant_removal where tenant_removal.tenant = old.tenant) ${REFUSE_IN_SQLITE}`;

/** The functions that the triggers of PostgreSQL call to keep the audit log append-only. */
export const REFUSE_IN_POSTGRES: readonly string[] = [
  `create function refuse_change_of_audit_log() returns trigger language plpgsql as
    'begin raise exception ''${MESSAGE}''; end'`,
  `create function refuse_removal_from_audit_log() returns trigger language plpgsql as
    'begin
      if exists (select 1 from tenant_removal where tenant_removal.tenant = old.tenant) then return old; end if;
      raise exception ''${MESSAGE}'';
    end'`,
];
