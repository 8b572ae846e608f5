import { type Kysely, sql } from 'kysely';

/** A tenant that lost its head could change nothing any more: its log would begin anew, where there are events already. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `create trigger audit_head_is_not_removed before delete or truncate on audit_head
        for each statement execute function refuse_change_of_audit_log()`,
    )
    .execute(db);
}
