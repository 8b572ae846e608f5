import { newEvent, withoutQuery } from '@access-admin/domain';
import { sql, type Transaction } from 'kysely';
import { insertRows } from '../query/insert.ts';
import { appendEvents } from '../record/events/append-events.ts';
import type { Tables, WebhookDeliveryRow } from '../schema/tables.ts';
import { rowToWebhook } from './codec.ts';
import { nextDue } from './due.ts';
import { shown } from './settings.ts';
import type { ClaimedWebhook, DeliveryOutcome, WebhookSettlement } from './webhook.ts';

/** Stores what the holder of a webhook has done for it. */
export async function settle(
  trx: Transaction<Tables>,
  claim: ClaimedWebhook,
  { outcomes, cursor, failingSinceMs, failures, disabled, releasedAtMs }: WebhookSettlement,
): Promise<void> {
  const { tenant, webhookId, fence, enabled } = claim;
  const rows = outcomes.map((outcome) => outcomeToRow(claim, outcome));
  await insertRows(trx, { table: 'webhook_delivery', onConflict: () => REPLACED }, rows);
  const row = await trx
    .updateTable('webhook')
    .set({ cursor_at: cursor, failing_since_ms: failingSinceMs, failures })
    .set({ due_ms: nextDue(claim, disabled === null ? sql`webhook.enabled` : 0) })
    // With its fence raised, a renewal under way cannot claim it again.
    .$if(releasedAtMs !== null, (query) => query.set({ claimable_at_ms: releasedAtMs ?? 0, fence: fence + 1 }))
    .$if(disabled !== null, (query) => query.set({ enabled: 0, modified: disabled?.time ?? '' }))
    .where('tenant', '=', tenant)
    .where('id', '=', webhookId)
    .returningAll()
    .executeTakeFirstOrThrow();
  if (disabled === null || !enabled) return;
  const data = { ...withoutQuery(shown(rowToWebhook(row))), reason: disabled.reason };
  await appendEvents(trx, tenant, [newEvent('webhook.disabled', webhookId, { time: disabled.time, data })]);
}

const REPLACED = sql`on conflict (tenant, webhook_id, id) do update set state = excluded.state,
  failures = excluded.failures, next_ms = excluded.next_ms, attempts = excluded.attempts`;

const outcomeToRow = ({ tenant, webhookId }: ClaimedWebhook, outcome: DeliveryOutcome): WebhookDeliveryRow => ({
  tenant,
  webhook_id: webhookId,
  id: outcome.id,
  event_id: outcome.eventId,
  sequence: outcome.sequence,
  type: outcome.type,
  state: outcome.state,
  created: outcome.created,
  failures: outcome.failures,
  next_ms: outcome.nextMs,
  attempts: JSON.stringify(outcome.attempts),
  body: outcome.body,
});
