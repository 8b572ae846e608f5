import { defineTable } from '../definition/define-table.ts';

export const identityProfile = defineTable({
  name: 'identity_profile',
  columns: {
    tenant: 'text',
    id: 'text',
    name: 'text',
    type: 'text',
    off_network: 'integer',
    untrusted_geography: 'integer',
    application_id: 'text?',
    application_name: 'text?',
  },
  key: 'tenant, id',
});
