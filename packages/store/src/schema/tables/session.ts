import { defineTable } from '../definition/define-table.ts';

export const session = defineTable({
  name: 'session',
  columns: {
    tenant: 'text',
    /** SHA-256 of the token, in hexadecimal digits. */
    hash: 'text',
    /** Names the session to callers. */
    id: 'text',
    identity_id: 'text',
    /** JSON: array of the factors proven at sign-in. */
    factors: 'text',
    /** The generation of the link that it began with, with which it ends; null without one. */
    link_generation: 'bigint?',
    /** The used sign-in link that it derives from, directly or through a proven factor; null for none. */
    used_link: 'text?',
    /** 1 when it began in a frame. */
    is_framed: 'integer',
    created_ms: 'bigint',
    /** When a factor was proven last. */
    proven_ms: 'bigint',
    /** The last activity, to the minute. */
    active_ms: 'bigint',
    expires_ms: 'bigint',
    idle_expires_ms: 'bigint',
    /** From where it began. */
    address: 'text?',
  },
  key: 'tenant, hash',
  foreignKey: 'foreign key (tenant, identity_id) references sign_in_account (tenant, identity_id) on delete cascade',
  indexes: [
    'create unique index session_id on session (tenant, id)',
    'create index session_identity on session (tenant, identity_id, id)',
    'create index session_expires on session (expires_ms)',
    'create index session_idle on session (idle_expires_ms)',
  ],
});
