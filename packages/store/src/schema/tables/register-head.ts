import { defineTable } from '../definition/define-table.ts';

/** The state of the data that a tenant's register has. */
export const registerHead = defineTable({
  name: 'register_head',
  columns: {
    tenant: 'text',
    /** Grows with each claim. A worker whose claim has another one writes nothing. */
    fence: 'integer',
    /** 0, or when the lease of the claim ends. */
    lease_end_ms: 'bigint',
    identity_revision: 'bigint',
    policy_set_version: 'integer',
    change_id: 'text?',
    /** The instant that the register was evaluated for last; empty before the first filling. */
    as_of: 'text',
    /** The next instant at which time alone changes it; null for none. */
    next_due: 'text?',
    /** The exceptions that end up to here, by end and id, have been told to be expired. */
    expired_end: 'text',
    expired_id: 'text',
    /** When everything is to be compared with a fresh evaluation. */
    compare_due: 'text',
    /** The identities at `as_of`. */
    identities: 'bigint',
    /** When the last full comparison was, and how many violations it had to correct. */
    compared: 'text?',
    corrected: 'bigint',
    /** The last staged round that was concluded: the fence of its claim. */
    round: 'bigint',
    /** Grows with each write of the counts. */
    revision: 'bigint',
    /** 1 while something is left to do after a round, or after one that was not concluded. */
    is_unsettled: 'integer',
    /** The latest instant at which a reader found that the register has the present data; empty for none. */
    confirmed: 'text',
  },
  key: 'tenant',
  indexes: [
    'create index register_head_next_due on register_head (next_due) where next_due is not null',
    'create index register_head_compare_due on register_head (compare_due)',
    'create index register_head_as_of on register_head (as_of)',
    'create index register_head_unsettled on register_head (tenant) where is_unsettled = 1',
  ],
});
