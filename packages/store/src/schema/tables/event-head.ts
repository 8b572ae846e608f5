import { defineTable } from '../definition/define-table.ts';

/** The last event of each tenant, and the last that was removed. Appending locks this row until the commit. */
export const eventHead = defineTable({
  name: 'event_head',
  columns: {
    tenant: 'text',
    sequence: 'bigint',
    removed_to: 'bigint',
  },
  key: 'tenant',
});
