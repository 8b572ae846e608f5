import {
  REFUSE_CHANGE_OF_EVENT_IN_SQLITE,
  REFUSE_IN_SQLITE,
  REFUSE_REMOVAL_OF_EVENT_IN_SQLITE,
} from '../definition/append-only.ts';
import { defineTable } from '../definition/define-table.ts';

export const auditEvent = defineTable({
  name: 'audit_event',
  columns: {
    tenant: 'text',
    sequence: 'bigint',
    time: 'text',
    client_id: 'text',
    identity_id: 'text?',
    operation: 'text',
    resource_type: 'text',
    resource_id: 'text?',
    outcome: 'text',
    /** JSON: the changes, see audit/changes-codec.ts. */
    changes: 'text',
    tracking_id: 'text',
    previous_hash: 'text?',
    hash: 'text',
    /** JSON: what an erasure has replaced; null where none has. */
    erased: 'text?',
  },
  key: 'tenant, sequence',
  indexes: [
    'create index audit_event_time on audit_event (tenant, time)',
    'create index audit_event_client on audit_event (tenant, client_id, sequence)',
    // Most events of imports are those of applications.
    'create index audit_event_identity on audit_event (tenant, identity_id, sequence) where identity_id is not null',
    'create index audit_event_resource on audit_event (tenant, resource_id, sequence)',
    'create index audit_event_resource_type on audit_event (tenant, resource_type, sequence)',
    'create index audit_event_operation on audit_event (tenant, operation, sequence)',
    'create index audit_event_outcome on audit_event (tenant, outcome, sequence)',
  ],
  // A replacing insert deletes without calling the delete trigger.
  sqlite: [
    `create trigger audit_event_is_not_changed before update on audit_event ${REFUSE_CHANGE_OF_EVENT_IN_SQLITE}`,
    `create trigger audit_event_is_not_removed before delete on audit_event ${REFUSE_REMOVAL_OF_EVENT_IN_SQLITE}`,
    `create trigger audit_event_is_not_replaced before insert on audit_event
      when exists (select 1 from audit_event where tenant = new.tenant and sequence = new.sequence) ${REFUSE_IN_SQLITE}`,
  ],
  postgres: [
    `create trigger audit_event_is_not_truncated before truncate on audit_event
      for each statement execute function refuse_change_of_audit_log()`,
    `create trigger audit_event_is_not_changed before update on audit_event
      for each row execute function refuse_change_of_audit_event()`,
    `create trigger audit_event_is_not_removed before delete on audit_event
      for each row execute function refuse_removal_of_audit_event()`,
  ],
});
