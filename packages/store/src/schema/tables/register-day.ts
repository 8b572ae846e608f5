import { defineTable } from '../definition/define-table.ts';

/** UTC days with changes. */
export const registerDay = defineTable({
  name: 'register_day',
  columns: {
    tenant: 'text',
    /** `2026-11-22`. */
    day: 'text',
    opened: 'bigint',
    ended: 'bigint',
    /** The violations present after the last change of the day, mitigated ones included. */
    open: 'bigint',
  },
  key: 'tenant, day',
});
