import { defineTable } from '../definition/define-table.ts';

/** Its state is that of its exception. */
export const appliedControl = defineTable({
  name: 'applied_control',
  columns: {
    tenant: 'text',
    id: 'text',
    violation_id: 'text',
    control_id: 'text',
    /** The name at the application. */
    control_name: 'text',
    exception_id: 'text',
    applier_id: 'text',
    applied: 'text',
    comments: 'text?',
  },
  key: 'tenant, id',
  indexes: [
    'create index applied_control_violation on applied_control (tenant, violation_id, applied)',
    'create index applied_control_control on applied_control (tenant, control_id)',
    'create index applied_control_exception on applied_control (tenant, exception_id)',
  ],
});
