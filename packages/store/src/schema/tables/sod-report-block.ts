import { defineTable } from '../definition/define-table.ts';

/** Violations of one policy, ordered by run and then by identity id. */
export const sodReportBlock = defineTable({
  name: 'sod_report_block',
  columns: {
    tenant: 'text',
    report_id: 'text',
    fence: 'integer',
    number: 'integer',
    run: 'integer',
    new_count: 'integer',
    same_count: 'integer',
    gone_count: 'integer',
    /** Those of them that an exception covers. */
    new_excepted: 'integer',
    same_excepted: 'integer',
    gone_excepted: 'integer',
    /** A Bloom filter of the ids of the identities, see reports/identity-filter.ts. */
    identity_filter: 'bytes',
    /** JSON: the lines, see reports/codec.ts. */
    content: 'text',
  },
  key: 'tenant, report_id, fence, number, run',
});
