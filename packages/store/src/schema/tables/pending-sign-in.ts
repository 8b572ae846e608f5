import { defineTable } from '../definition/define-table.ts';

/** A sign-in between two of its steps. */
export const pendingSignIn = defineTable({
  name: 'pending_sign_in',
  columns: {
    tenant: 'text',
    /** SHA-256 of the token, in hexadecimal digits. */
    hash: 'text',
    /** Null until a username names one identity. */
    identity_id: 'text?',
    /** The generation of the link that it began with; null without one. */
    link_generation: 'bigint?',
    /** The used sign-in link that it derives from, directly or through a proven factor; null for none. */
    used_link: 'text?',
    /** JSON: what has been proven so far. */
    state: 'text',
    expires_ms: 'bigint',
  },
  key: 'tenant, hash',
  foreignKey: 'foreign key (tenant, identity_id) references sign_in_account (tenant, identity_id) on delete cascade',
  indexes: [
    'create index pending_sign_in_identity on pending_sign_in (tenant, identity_id)',
    'create index pending_sign_in_expires on pending_sign_in (expires_ms)',
  ],
});
