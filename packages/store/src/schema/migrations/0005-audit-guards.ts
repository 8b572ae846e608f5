import { type Kysely, sql } from 'kysely';

/** What the triggers of the audit log let through: a replacement, which deletes without a trigger, and the loss of a head. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS: readonly string[] = [
  `create trigger audit_event_is_not_replaced before insert on audit_event
    when exists (select 1 from audit_event where tenant = new.tenant and sequence = new.sequence)
    begin select raise(abort, 'the audit log is append-only'); end`,
  `create trigger audit_head_is_not_removed before delete on audit_head
    begin select raise(abort, 'the audit log is append-only'); end`,
];
