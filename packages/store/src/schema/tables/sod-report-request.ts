import { defineTable } from '../definition/define-table.ts';

/** The request of a dry-run, in parts. */
export const sodReportRequest = defineTable({
  name: 'sod_report_request',
  columns: {
    tenant: 'text',
    report_id: 'text',
    part: 'integer',
    /** JSON: array of `['add' | 'change', policy]` and `['remove', id]`. */
    content: 'text',
  },
  key: 'tenant, report_id, part',
});
