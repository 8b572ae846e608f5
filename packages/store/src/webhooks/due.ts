import { type RawBuilder, sql } from 'kysely';
import type { WebhookPlace } from './webhook.ts';

/** The earliest next attempt of the pending deliveries. Where `enabled` is not 1, the webhook is due for tests only. */
export const nextDue = (
  { tenant, webhookId }: WebhookPlace,
  enabled: number | RawBuilder<number>,
): RawBuilder<number | null> =>
  sql<number | null>`(
    select min(next_ms) from webhook_delivery
    where tenant = ${tenant} and webhook_id = ${webhookId} and next_ms is not null
      and (sequence = 0 or ${enabled} = 1))`;
