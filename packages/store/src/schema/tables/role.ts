import { defineTable } from '../definition/define-table.ts';

export const role = defineTable({
  name: 'role',
  columns: {
    tenant: 'text',
    id: 'text',
    name: 'text',
    /** JSON: array of ids. */
    access_profiles: 'text',
    /** JSON: array of ids. */
    entitlements: 'text',
    /** JSON: texts by name; null without any. */
    attributes: 'text?',
    external_id: 'text?',
  },
  key: 'tenant, id',
});
