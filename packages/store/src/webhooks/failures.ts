import { WEBHOOK_FAILURES_MIN } from '@access-admin/domain';
import type { Transaction } from 'kysely';
import type { Tables, WebhookRow } from '../schema/tables.ts';
import { leastDeliveryId } from './delivery-id.ts';

/** The delivery whose attempt failed first was made before that attempt. */
const EARLIER_MS = 3_600_000;

/** How many attempts of a webhook have failed since it fails, by some of its deliveries: at least ten where there are as many. */
export async function countFailures(trx: Transaction<Tables>, row: WebhookRow): Promise<number> {
  if (row.failing_since_ms === null) return 0;
  const deliveries = await trx
    .selectFrom('webhook_delivery')
    .select('failures')
    .where('tenant', '=', row.tenant)
    .where('webhook_id', '=', row.id)
    .where('state', 'in', ['PENDING', 'FAILED'])
    .where('id', '>=', leastDeliveryId(row.failing_since_ms - EARLIER_MS))
    .where('sequence', '>', 0)
    .where('failures', '>', 0)
    .limit(WEBHOOK_FAILURES_MIN)
    .execute();
  return deliveries.reduce((sum, { failures }) => sum + failures, 0);
}
