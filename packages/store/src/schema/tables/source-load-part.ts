import { defineTable } from '../definition/define-table.ts';

/** The records of the parts of loads, in pieces in the order in which they are applied. */
export const sourceLoadPart = defineTable({
  name: 'source_load_part',
  columns: {
    tenant: 'text',
    load_id: 'text',
    /** What the piece has, see loads/pieces.ts. */
    step: 'integer',
    part: 'integer',
    piece: 'integer',
    /** JSON: array of `[line, record]`, or what is wrong with lines of the part. */
    content: 'text',
  },
  key: 'tenant, load_id, step, part, piece',
});
