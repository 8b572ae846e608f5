import { REFUSE_CHANGE_OF_MEMBER_IN_SQLITE, REFUSE_REMOVAL_OF_EVENT_IN_SQLITE } from '../definition/append-only.ts';
import { defineTable } from '../definition/define-table.ts';

/** The resources that an event concerns besides its own `resource_id`, which is null for an event of several. */
export const auditEventMember = defineTable({
  name: 'audit_event_member',
  columns: {
    tenant: 'text',
    resource_id: 'text',
    sequence: 'bigint',
  },
  key: 'tenant, resource_id, sequence',
  isClustered: true,
  // Archived events are removed by their sequence.
  indexes: ['create index audit_event_member_sequence on audit_event_member (tenant, sequence)'],
  sqlite: [
    `create trigger audit_event_member_is_not_changed before update on audit_event_member ${REFUSE_CHANGE_OF_MEMBER_IN_SQLITE}`,
    `create trigger audit_event_member_is_not_removed before delete on audit_event_member ${REFUSE_REMOVAL_OF_EVENT_IN_SQLITE}`,
  ],
  postgres: [
    `create trigger audit_event_member_is_not_truncated before truncate on audit_event_member
      for each statement execute function refuse_change_of_audit_log()`,
    `create trigger audit_event_member_is_not_changed before update on audit_event_member
      for each row execute function refuse_change_of_audit_member()`,
    `create trigger audit_event_member_is_not_removed before delete on audit_event_member
      for each row execute function refuse_removal_of_audit_event()`,
  ],
});
