import { defineTable } from '../definition/define-table.ts';

export const webhookDelivery = defineTable({
  name: 'webhook_delivery',
  columns: {
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
  key: 'tenant, webhook_id, id',
  isClustered: true,
  indexes: [
    'create index webhook_delivery_state on webhook_delivery (tenant, webhook_id, state, id)',
    'create index webhook_delivery_type on webhook_delivery (tenant, webhook_id, type, id)',
    'create index webhook_delivery_due on webhook_delivery (tenant, webhook_id, next_ms, id) where next_ms is not null',
  ],
});
