import { defineTable } from '../definition/define-table.ts';

/** The result of a fix plan: its steps, and the violations that it leaves. */
export const sodReportEntry = defineTable({
  name: 'sod_report_entry',
  columns: {
    tenant: 'text',
    report_id: 'text',
    /** `STEP` or `UNSOLVABLE`. */
    list: 'text',
    /** The position in its list. */
    number: 'integer',
    identity_id: 'text',
    display_name: 'text?',
    /** JSON: what answers show beside these. */
    content: 'text',
  },
  key: 'tenant, report_id, list, number',
  isClustered: true,
});
