import { defineTable } from '../definition/define-table.ts';

export const accessProfile = defineTable({
  name: 'access_profile',
  columns: {
    tenant: 'text',
    id: 'text',
    name: 'text',
    /** JSON: array of ids. */
    entitlements: 'text',
    /** JSON: texts by name; null without any. */
    attributes: 'text?',
    external_id: 'text?',
  },
  key: 'tenant, id',
});
