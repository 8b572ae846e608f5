import { defineTable } from '../definition/define-table.ts';

export const sodCheck = defineTable({
  name: 'sod_check',
  columns: {
    tenant: 'text',
    request_id: 'text',
    created: 'text',
    state: 'text',
    attempts: 'integer',
    fence: 'integer',
    /** 0, or when the lease or the delay after a failure ends. */
    claimable_at_ms: 'bigint',
    identity_id: 'text',
    /** JSON: array of `[type, id]`, or `[type, id, start, end]` with a window. */
    access_refs: 'text',
    /** JSON: object of strings. */
    client_metadata: 'text?',
    completed: 'text?',
    /** JSON: the result. */
    result: 'text?',
    /** JSON: array of strings; null for none. */
    includes: 'text?',
    /** The instant to evaluate; null for every instant from the evaluation on. */
    at_instant: 'text?',
    /** JSON: the request that made it, see query/origin.ts. */
    origin: 'text?',
  },
  key: 'tenant, request_id',
  indexes: [
    // Covers the search for the oldest, without columns that a claim sets.
    `create index sod_check_pending on sod_check (tenant, created, request_id, identity_id) where state = 'PENDING'`,
    `create index sod_check_claimed_twice on sod_check (tenant, created, request_id)
    where state = 'PENDING' and attempts > 1`,
    // Serve lists of checks, in their order. A check is in them once it is done, so that storing one costs no more.
    'create index sod_check_done on sod_check (tenant, state, created, request_id) where completed is not null',
    `create index sod_check_done_identity on sod_check (tenant, identity_id, state, created, request_id)
    where completed is not null`,
  ],
});
