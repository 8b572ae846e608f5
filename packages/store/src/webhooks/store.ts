import type { Database } from '../engine/database.ts';
import { createDeliveryStore } from './deliveries.ts';
import { createWebhookQueue } from './queue.ts';
import { createWebhookSettings } from './settings.ts';
import type { WebhookStore } from './webhook.ts';

export const createWebhookStore = (database: Database): WebhookStore => ({
  ...createWebhookSettings(database),
  ...createDeliveryStore(database),
  ...createWebhookQueue(database),
});
