import { defineTable } from '../definition/define-table.ts';

/** The policies of a report that have violations. */
export const sodReportPolicy = defineTable({
  name: 'sod_report_policy',
  columns: {
    tenant: 'text',
    report_id: 'text',
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
    /** JSON: the sides before the change; null when there was no such policy. */
    sides_before: 'text?',
    /** JSON: the sides after the change; null when they are the same. */
    sides_after: 'text?',
  },
  key: 'tenant, report_id, number',
  isClustered: true,
});
