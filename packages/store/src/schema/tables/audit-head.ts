import { REFUSE_REMOVAL_IN_SQLITE } from '../definition/append-only.ts';
import { defineTable } from '../definition/define-table.ts';

/** The last event of each tenant, and the first one that is kept. Appending locks this row until the commit. */
export const auditHead = defineTable({
  name: 'audit_head',
  columns: {
    tenant: 'text',
    sequence: 'bigint',
    hash: 'text?',
    /** Earlier events may be removed: they are archived. One more than `sequence` where all are. */
    first_sequence: 'bigint',
    first_previous_hash: 'text?',
  },
  key: 'tenant',
  // A tenant without head could not be changed any more: its log would start again where there are events.
  sqlite: [`create trigger audit_head_is_not_removed before delete on audit_head ${REFUSE_REMOVAL_IN_SQLITE}`],
  postgres: [
    `create trigger audit_head_is_not_truncated before truncate on audit_head
      for each statement execute function refuse_change_of_audit_log()`,
    `create trigger audit_head_is_not_removed before delete on audit_head
      for each row execute function refuse_removal_from_audit_log()`,
  ],
});
