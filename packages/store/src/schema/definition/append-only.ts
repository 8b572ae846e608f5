/** What the triggers of SQLite do that keep the audit log append-only. */
export const REFUSE_IN_SQLITE = `begin select raise(abort, 'the audit log is append-only'); end`;

/** The function of PostgreSQL that its triggers call for the same. */
export const REFUSE_IN_POSTGRES = `create function refuse_change_of_audit_log() returns trigger language plpgsql as
  'begin raise exception ''the audit log is append-only''; end'`;
