import { defineTable } from '../definition/define-table.ts';

export const rulebookChange = defineTable({
  name: 'rulebook_change',
  columns: {
    tenant: 'text',
    policy_set_version: 'integer',
    /** Random: a restored database may reach a version again with other content. */
    change_id: 'text',
    /** JSON: array of the ids of the policies created, replaced or deleted; null when more than policies changed, or very many. */
    policies: 'text?',
    /** JSON, see `CatalogueChange`; null when only policies changed, or very much. */
    catalogue: 'text?',
  },
  key: 'tenant, policy_set_version',
});
