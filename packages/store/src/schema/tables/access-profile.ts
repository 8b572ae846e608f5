import { defineTable } from '../definition/define-table.ts';

export const accessProfile = defineTable({
  name: 'access_profile',
  columns: {
    tenant: 'text',
    id: 'text',
    name: 'text',
    /** JSON: array of ids. */
    entitlements: 'text',
  },
  key: 'tenant, id',
});
