import { defineTable } from '../definition/define-table.ts';

export const sodCheck = defineTable({
  name: 'sod_check',
  columns: {
    tenant: 'text',
    request_id: 'text',
    created: 'text',
    state: 'text',
    attempts: 'integer',
    /** 1 once it was claimed twice. Indexes do not depend on `attempts`, which each claim changes. */
    claimed_twice: 'integer',
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
    // Covers the search for the oldest. A first claim changes no column of an index, so that PostgreSQL writes no entry of one.
    `create index sod_check_pending on sod_check (tenant, created, request_id, identity_id) where state = 'PENDING'`,
    `create index sod_check_claimed_twice on sod_check (tenant, created, request_id)
    where state = 'PENDING' and claimed_twice = 1`,
    // Serve lists of checks, in their order. A check is in them once it is done, so that storing one costs no more.
    'create index sod_check_done on sod_check (tenant, state, created, request_id) where completed is not null',
    `create index sod_check_done_identity on sod_check (tenant, identity_id, state, created, request_id)
    where completed is not null`,
  ],
  // Room in the page of a row for the version that a claim writes: in another page it would need entries in all indexes.
  postgres: ['alter table sod_check set (fillfactor = 50)'],
});
