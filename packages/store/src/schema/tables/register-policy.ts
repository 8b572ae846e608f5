import { defineTable } from '../definition/define-table.ts';

/** The policies that the register knows, as of its last round. */
export const registerPolicy = defineTable({
  name: 'register_policy',
  columns: {
    tenant: 'text',
    policy_id: 'text',
    name: 'text',
    level_rank: 'integer',
    /** A hash of the criteria; empty for a policy that is not enforced, `?` before its first round is over. */
    terms: 'text',
    open: 'bigint',
    mitigated: 'bigint',
    /** When the oldest of its present violations was created, and its id; null when it has none. */
    oldest: 'text?',
    oldest_id: 'text?',
  },
  key: 'tenant, policy_id',
  indexes: [
    // It orders the policies of a summary and has all that it shows: their rows are often changed, and spread over many pages.
    `create index register_policy_open on register_policy (tenant, open, policy_id, name, mitigated, oldest)
      where open > 0 or mitigated > 0`,
  ],
});
