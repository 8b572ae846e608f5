import { defineTable } from '../definition/define-table.ts';

/** A violation of a report a row, in the order of its list. What its policy is like is in `sod_report_policy`. */
export const sodReportViolation = defineTable({
  name: 'sod_report_violation',
  columns: {
    tenant: 'text',
    report_id: 'text',
    /** That of its policy. */
    number: 'integer',
    identity_id: 'text',
    display_name: 'text?',
    change: 'text',
    /** The exception that covers it; null without one. */
    exception_id: 'text?',
    exception_end: 'text?',
    /** JSON: the items shown, as `ReportLine` has them. */
    items: 'text',
  },
  key: 'tenant, report_id, number, identity_id',
  isClustered: true,
});
