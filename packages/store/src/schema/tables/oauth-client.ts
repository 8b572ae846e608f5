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
    /** JSON: the capabilities of the identity that made the present secret; null for an application, and for a client that is one. */
    maker_capabilities: 'text?',
    /** Capabilities of the maker of the previous secret. */
    previous_maker_capabilities: 'text?',
    /** 1 when a session, or a client with this mark, has given it a secret or a scope: it has the limits of a session. */
    is_session_bound: 'integer',
    created: 'text',
    /** 1 for the client of the first start: it has every scope of the running version, whatever `scopes` says. */
    is_bootstrap: 'integer',
    /** The hour in which it was used last; null before its first use. */
    last_used: 'text?',
  },
  key: 'tenant, id',
  indexes: ['create index oauth_client_identity on oauth_client (tenant, identity_id) where identity_id is not null'],
});
