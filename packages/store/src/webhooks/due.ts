import { type RawBuilder, sql } from 'kysely';
import type { WebhookPlace } from './webhook.ts';

/** The earliest next attempt of the pending deliveries. A disabled webhook is due for tests only. */
export const nextDue = ({ tenant, webhookId }: WebhookPlace, isEnabled: boolean): RawBuilder<number | null> =>
  sql<number | null>`(
    select min(next_ms) from webhook_delivery
    where tenant = ${tenant} and webhook_id = ${webhookId} and next_ms is not null
      ${isEnabled ? sql`` : sql`and sequence = 0`})`;
