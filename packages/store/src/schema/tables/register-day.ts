import { defineTable } from '../definition/define-table.ts';

/** How many violations began and ended on a UTC day. */
export const registerDay = defineTable({
  name: 'register_day',
  columns: {
    tenant: 'text',
    /** `2026-11-22`. */
    day: 'text',
    opened: 'bigint',
    ended: 'bigint',
  },
  key: 'tenant, day',
});
