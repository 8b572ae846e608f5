import { defineTable } from '../definition/define-table.ts';

/** The batches of a round that is staged. A batch is removed when it is settled: without one, readers see every row. */
export const registerStaged = defineTable({
  name: 'register_staged',
  columns: {
    tenant: 'text',
    round: 'bigint',
    number: 'integer',
    /** JSON, see `StagedContent`. */
    content: 'text',
    /** JSON, see `RegisterCounts`. */
    counts: 'text',
    /** The first instant at which time alone changes one of its identities; null for none. */
    first_due: 'text?',
  },
  key: 'tenant, round, number',
});
