import { defineTable } from '../definition/define-table.ts';

export const entitlement = defineTable({
  name: 'entitlement',
  columns: {
    tenant: 'text',
    id: 'text',
    name: 'text',
    source: 'text?',
  },
  key: 'tenant, id',
});
