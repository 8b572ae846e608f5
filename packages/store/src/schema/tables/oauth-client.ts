import { defineTable } from '../definition/define-table.ts';

export const oauthClient = defineTable({
  name: 'oauth_client',
  columns: {
    tenant: 'text',
    id: 'text',
    name: 'text',
    /** JSON: array of strings. */
    scopes: 'text',
    identity_id: 'text?',
    /** The hash of the present secret. */
    secret_hash: 'text',
    /** 1 for the first secret, and one more for each that replaced it. Tokens name the secret they were made with. */
    secret_version: 'integer',
    /** The hash of the secret before, and when it ends; both are null where it ended with its replacement. */
    previous_secret_hash: 'text?',
    previous_secret_ends_ms: 'bigint?',
    created: 'text',
    /** 1 for the client of the first start: it has every scope of the running version, whatever `scopes` says. */
    is_bootstrap: 'integer',
    /** The hour in which it was used last; null before its first use. */
    last_used: 'text?',
  },
  key: 'tenant, id',
});
