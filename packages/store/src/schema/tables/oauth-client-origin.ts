import { defineTable } from '../definition/define-table.ts';

/** The identities that know a secret of an application, directly or by other applications. A row stays when the application is deleted. */
export const oauthClientOrigin = defineTable({
  name: 'oauth_client_origin',
  columns: {
    tenant: 'text',
    client_id: 'text',
    maker_id: 'text',
  },
  key: 'tenant, client_id, maker_id',
});
