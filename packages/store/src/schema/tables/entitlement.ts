import { defineTable } from '../definition/define-table.ts';

export const entitlement = defineTable({
  name: 'entitlement',
  columns: {
    tenant: 'text',
    id: 'text',
    name: 'text',
    source: 'text?',
    /** JSON: array of `{resourceType, resourceId, action}`; null without any. */
    grants: 'text?',
    /** JSON: texts by name; null without any. */
    attributes: 'text?',
    external_id: 'text?',
  },
  key: 'tenant, id',
});
