import { type Columns, createTable, type Engine } from './columns.ts';

/** The tables of webhooks and of the key of secrets. */
export const WEBHOOK_TABLES = {
  /** How the key with which secrets are encrypted is recognized. */
  secret_key: {
    name: 'text',
    salt: 'text',
    check_value: 'text',
    created: 'text',
  },
  webhook: {
    tenant: 'text',
    id: 'text',
    name: 'text',
    url: 'text',
    /** JSON: array of patterns. */
    types: 'text',
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
    fence: 'integer',
    /** 0, or when the lease ends. */
    claimable_at_ms: 'bigint',
    /** The earliest next attempt of its pending deliveries; null without any. */
    due_ms: 'bigint?',
    /** Since when all attempts have failed; null after a success. */
    failing_since_ms: 'bigint?',
    /** 1 when it is deleted; the row stays until its deliveries are removed. */
    is_deleted: 'integer',
  },
  webhook_delivery: {
    tenant: 'text',
    webhook_id: 'text',
    /** A UUID of version 7: ascends with the time. */
    id: 'text',
    event_id: 'text',
    /** 0 for a test. */
    sequence: 'bigint',
    type: 'text',
    state: 'text',
    created: 'text',
    /** How many attempts have failed since it was last requested. */
    failures: 'integer',
    /** When it is tried again; null when it is done. */
    next_ms: 'bigint?',
    /** JSON: array of attempts. */
    attempts: 'text',
    /** The text of a test; null where it is read from the event. */
    body: 'text?',
  },
} as const satisfies Readonly<Record<string, Columns>>;

/** Creates the tables of webhooks. */
export const webhooksMigration = (engine: Engine): readonly string[] => [
  createTable(engine, 'secret_key', [WEBHOOK_TABLES.secret_key, 'primary key (name)']),
  createTable(engine, 'webhook', [WEBHOOK_TABLES.webhook, 'primary key (tenant, id)']),
  createTable(engine, 'webhook_delivery', [WEBHOOK_TABLES.webhook_delivery, 'primary key (tenant, webhook_id, id)']) +
    (engine === 'sqlite' ? ' without rowid' : ''),
  'create index webhook_due on webhook (due_ms) where due_ms is not null',
  'create index webhook_deleted on webhook (tenant, id) where is_deleted = 1',
  'create index webhook_delivery_state on webhook_delivery (tenant, webhook_id, state, id)',
  'create index webhook_delivery_type on webhook_delivery (tenant, webhook_id, type, id)',
  'create index webhook_delivery_due on webhook_delivery (tenant, webhook_id, next_ms, id) where next_ms is not null',
];
