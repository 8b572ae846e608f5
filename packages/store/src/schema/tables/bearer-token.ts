import { defineTable } from '../definition/define-table.ts';

/** Static tokens with which clients provision accounts into a source. They are deleted with their client and their source. */
export const bearerToken = defineTable({
  name: 'bearer_token',
  columns: {
    tenant: 'text',
    client_id: 'text',
    id: 'text',
    source_id: 'text',
    /** SHA-256 of the secret of the token. */
    secret_hash: 'text',
    expires_ms: 'bigint',
  },
  key: 'tenant, client_id, id',
  indexes: ['create index bearer_token_source on bearer_token (tenant, source_id)'],
});
