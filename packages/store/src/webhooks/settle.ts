import { newEvent, withoutQuery } from '@access-admin/domain';
import { sql, type Transaction } from 'kysely';
import { appendEvents } from '../events/append-events.ts';
import { insertRows } from '../query/insert.ts';
import type { Tables, WebhookDeliveryRow } from '../schema/tables.ts';
import { rowToWebhook } from './codec.ts';
import { nextDue } from './due.ts';
import { findRow, shown } from './settings.ts';
import type { ClaimedWebhook, DeliveryOutcome, WebhookSettlement } from './webhook.ts';

/** Stores what a worker has done for a webhook; false without effect when the claim is lost. */
export async function settle(
  trx: Transaction<Tables>,
  claim: ClaimedWebhook,
  { outcomes, cursor, failingSinceMs, disabled, releasedAtMs }: WebhookSettlement,
): Promise<boolean> {
  const { tenant, webhookId, fence } = claim;
  const row = await findRow(trx, tenant, webhookId);
  if (row === undefined || row.fence !== fence) return false;
  const fresh = outcomes.filter(({ isNew }) => isNew).map((outcome) => outcomeToRow(claim, outcome));
  await insertRows(trx, { table: 'webhook_delivery', onConflict: () => sql`` }, fresh);
  for (const outcome of outcomes) if (!outcome.isNew) await updateDelivery(trx, claim, outcome);
  // With its fence raised, a renewal under way cannot claim it again.
  const release = releasedAtMs === null ? {} : { claimable_at_ms: releasedAtMs, fence: fence + 1 };
  await trx
    .updateTable('webhook')
    .set({ cursor_at: cursor, failing_since_ms: failingSinceMs, ...release })
    .$if(disabled !== null || outcomes.some(isDueChanged), (query) =>
      query.set({ due_ms: nextDue(claim, row.enabled === 1 && disabled === null) }),
    )
    .$if(disabled !== null, (query) => query.set({ enabled: 0, modified: disabled?.time ?? '' }))
    .where('tenant', '=', tenant)
    .where('id', '=', webhookId)
    .execute();
  if (disabled === null || row.enabled === 0) return true;
  const { time, reason } = disabled;
  const data = { ...withoutQuery(shown(rowToWebhook(row))), enabled: false, modified: time, reason };
  await appendEvents(trx, tenant, [newEvent('webhook.disabled', webhookId, { time, data })]);
  return true;
}

const isDueChanged = ({ isNew, nextMs }: DeliveryOutcome): boolean => !isNew || nextMs !== null;

async function updateDelivery(
  trx: Transaction<Tables>,
  claim: ClaimedWebhook,
  outcome: DeliveryOutcome,
): Promise<void> {
  const { state, failures, next_ms, attempts } = outcomeToRow(claim, outcome);
  await trx
    .updateTable('webhook_delivery')
    .set({ state, failures, next_ms, attempts })
    .where('tenant', '=', claim.tenant)
    .where('webhook_id', '=', claim.webhookId)
    .where('id', '=', outcome.id)
    .execute();
}

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
