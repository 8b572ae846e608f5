import { defineTable } from '../definition/define-table.ts';

/** The present violations by level. */
export const registerLevel = defineTable({
  name: 'register_level',
  columns: {
    tenant: 'text',
    level_rank: 'integer',
    open: 'bigint',
    mitigated: 'bigint',
  },
  key: 'tenant, level_rank',
});
