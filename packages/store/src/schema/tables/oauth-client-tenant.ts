import { defineTable } from '../definition/define-table.ts';

/**
 * Whose each id of a client is: unique over all tenants, and reserved before the client is stored. The token endpoint learns
 * the tenant from it. A row without its client is of one that was deleted, or never stored.
 */
export const oauthClientTenant = defineTable({
  name: 'oauth_client_tenant',
  columns: {
    id: 'text',
    tenant: 'text',
  },
  key: 'id',
  indexes: ['create index oauth_client_tenant_of on oauth_client_tenant (tenant)'],
});
