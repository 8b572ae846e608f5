import { defineTable } from '../definition/define-table.ts';

/** The present violations by policy, level and state. */
export const registerCount = defineTable({
  name: 'register_count',
  columns: {
    tenant: 'text',
    policy_id: 'text',
    level_rank: 'integer',
    open: 'bigint',
    mitigated: 'bigint',
  },
  key: 'tenant, policy_id, level_rank',
});
