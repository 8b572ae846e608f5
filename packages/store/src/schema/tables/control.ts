import { defineTable } from '../definition/define-table.ts';

export const control = defineTable({
  name: 'control',
  columns: {
    tenant: 'text',
    id: 'text',
    name: 'text',
    description: 'text?',
    owner_id: 'text?',
    /** JSON: array of ids of identities. */
    secondary_owner_ids: 'text',
    expiration: 'text',
    justification_required: 'integer',
    created: 'text',
    modified: 'text',
  },
  key: 'tenant, id',
});
