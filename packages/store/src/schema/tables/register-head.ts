import { defineTable } from '../definition/define-table.ts';

/** The state of the data that a tenant's register has. Each tenant has one from its first write on. */
export const registerHead = defineTable({
  name: 'register_head',
  columns: {
    tenant: 'text',
    /** Grows with each claim. A worker whose claim has another one writes nothing. */
    fence: 'integer',
    /** 0, or when the lease of the claim, or the rest after a round, ends. */
    claimable_at_ms: 'bigint',
    identity_revision: 'bigint',
    policy_set_version: 'integer',
    change_id: 'text?',
    /** The instant of the last round that was published; empty before the first. */
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
    /** How many violations the last full comparison had to correct. */
    corrected: 'bigint',
  },
  key: 'tenant',
  indexes: [
    'create index register_head_next_due on register_head (next_due) where next_due is not null',
    'create index register_head_compare_due on register_head (compare_due)',
    'create index register_head_as_of on register_head (as_of)',
  ],
});
