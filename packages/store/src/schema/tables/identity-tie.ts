import { defineTable } from '../definition/define-table.ts';

/** Which identities may act as which others, and since when. Rows stay when their identities are deleted, until they are old. */
export const identityTie = defineTable({
  name: 'identity_tie',
  columns: {
    tenant: 'text',
    identity_id: 'text',
    /** The identity that may act as it. */
    maker_id: 'text',
    /** When it did the last time what permits it. */
    made_ms: 'bigint',
  },
  key: 'tenant, identity_id, maker_id',
  isClustered: true,
  indexes: ['create index identity_tie_made on identity_tie (tenant, made_ms)'],
});
