import { defineTable } from '../definition/define-table.ts';

/** Policies with violations. Rows with another fence than the report's are leftovers of an earlier attempt. */
export const sodReportPolicy = defineTable({
  name: 'sod_report_policy',
  columns: {
    tenant: 'text',
    report_id: 'text',
    fence: 'integer',
    /** The position by policy id. */
    number: 'integer',
    policy_id: 'text',
    name: 'text',
    level: 'text',
    new_count: 'bigint',
    same_count: 'bigint',
    gone_count: 'bigint',
    /** Those of them that an exception covers. */
    new_excepted: 'bigint',
    same_excepted: 'bigint',
    gone_excepted: 'bigint',
    /** Violations of the policies before this one. */
    new_before: 'bigint',
    same_before: 'bigint',
    gone_before: 'bigint',
    /** JSON: the sides before the change; null when there was no such policy. */
    sides_before: 'text?',
    /** JSON: the sides after the change; null when they are the same. */
    sides_after: 'text?',
  },
  key: 'tenant, report_id, fence, number',
  isClustered: true,
  indexes: ['create index sod_report_policy_id on sod_report_policy (tenant, report_id, fence, policy_id)'],
});
