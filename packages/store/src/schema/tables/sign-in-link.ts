import { defineTable } from '../definition/define-table.ts';

export const signInLink = defineTable({
  name: 'sign_in_link',
  columns: {
    tenant: 'text',
    /** SHA-256 of the token, in hexadecimal digits. */
    hash: 'text',
    identity_id: 'text',
    /** That of the identity when it was made; it is valid while they are the same. */
    generation: 'bigint',
    /** The identity that made it; null for an application. */
    maker_id: 'text?',
    /** The client that made it; null for none of this tenant. */
    maker_client_id: 'text?',
    /** JSON: the capabilities of the identity that made it; null for an application, which has none to compare. */
    maker_capabilities: 'text?',
    created: 'text',
    expires_ms: 'bigint',
  },
  key: 'tenant, hash',
  foreignKey: 'foreign key (tenant, identity_id) references sign_in_account (tenant, identity_id) on delete cascade',
  indexes: [
    'create index sign_in_link_identity on sign_in_link (tenant, identity_id)',
    'create index sign_in_link_expires on sign_in_link (expires_ms)',
    'create index sign_in_link_maker on sign_in_link (tenant, maker_id) where maker_id is not null',
  ],
});
