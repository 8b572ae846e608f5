import { defineTable } from '../definition/define-table.ts';

export const webhook = defineTable({
  name: 'webhook',
  columns: {
    tenant: 'text',
    id: 'text',
    name: 'text',
    url: 'text',
    /** JSON: array of patterns. */
    types: 'text',
    format: 'text',
    enabled: 'integer',
    created: 'text',
    modified: 'text',
    /** The client of the caller that covers it: it tells no more than that caller may read. Null for an external issuer. */
    client_id: 'text?',
    /** When this client was created. */
    client_created: 'text?',
    /** JSON: array of the scopes of this caller when it set the webhook. */
    scopes: 'text',
    /** The identity that this caller acts as; null for an application. */
    identity_id: 'text?',
    /** Encrypted, see secrets/cipher.ts. Empty once it is deleted. */
    secret: 'text',
    /** The secret before the last rotation, which signs too until `previous_until_ms`. */
    previous_secret: 'text?',
    previous_until_ms: 'bigint?',
    /** The last event that was delivered, or recorded for a retry, or does not match. */
    cursor_at: 'bigint',
    /** Raised by each claim, and by whatever takes the webhook from its worker. */
    fence: 'integer',
    /** 0, or when the lease ends. */
    claimable_at_ms: 'bigint',
    /** The earliest next attempt of its pending deliveries; null without any. */
    due_ms: 'bigint?',
    /** Since when all attempts have failed; null after a success. */
    failing_since_ms: 'bigint?',
    /** How many attempts have failed since then. */
    failures: 'integer',
    /** 1 when it is deleted; the row stays until its deliveries are removed. */
    is_deleted: 'integer',
  },
  key: 'tenant, id',
  indexes: [
    'create index webhook_due on webhook (due_ms) where due_ms is not null',
    'create index webhook_deleted on webhook (tenant, id) where is_deleted = 1',
  ],
});
