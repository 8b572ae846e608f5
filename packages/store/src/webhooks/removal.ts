import { sql } from 'kysely';
import type { Database } from '../engine/database.ts';
import type { WebhookPlace, WebhookQueue } from './webhook.ts';

const REMOVED_AT_ONCE = 1_000;
// A literal, because the partial index does not match a parameter.
const DELETED = sql.lit(1);

interface Expired extends WebhookPlace {
  readonly id: string;
}

/** Removes old deliveries and those of deleted webhooks, some in each call, and then the deleted webhooks. */
export function createRemoval(database: Database): WebhookQueue['removeDeliveries'] {
  return async (beforeId) => {
    const expired = await findExpired(database, beforeId);
    for (const [tenant, ids] of Map.groupBy(expired, (one) => one.tenant))
      await database.write({ tenant, changes: 'webhooks', isSweep: true }, async (trx) => {
        for (const { webhookId, id } of ids)
          await trx
            .deleteFrom('webhook_delivery')
            .where('tenant', '=', tenant)
            .where('webhook_id', '=', webhookId)
            .where('id', '=', id)
            .execute();
      });
    if (expired.length === 0) await removeDeleted(database);
    return expired.length > 0;
  };
}

// Later than every id, which are hexadecimal.
const ID_END = 'g';

async function findExpired({ read }: Database, beforeId: string): Promise<readonly Expired[]> {
  const { rows } = await read((db) =>
    sql<Expired>`
      select delivery.tenant, delivery.webhook_id as "webhookId", delivery.id
      from webhook join webhook_delivery as delivery on delivery.tenant = webhook.tenant
        and delivery.webhook_id = webhook.id
        and delivery.id < case when webhook.is_deleted = ${DELETED} then ${ID_END} else ${beforeId} end
      limit ${REMOVED_AT_ONCE}`.execute(db),
  );
  return rows;
}

/** Removes deleted webhooks whose deliveries are all removed. */
async function removeDeleted(database: Database): Promise<void> {
  const rows = await database.read((db) =>
    db
      .selectFrom('webhook')
      .select(['tenant', 'id'])
      .where('is_deleted', '=', DELETED)
      .limit(REMOVED_AT_ONCE)
      .execute(),
  );
  for (const [tenant, deleted] of Map.groupBy(rows, (row) => row.tenant))
    await database.write({ tenant, changes: 'webhooks', isSweep: true }, async (trx) => {
      for (const { id } of deleted)
        await trx
          .deleteFrom('webhook')
          .where('tenant', '=', tenant)
          .where('id', '=', id)
          .where('is_deleted', '=', DELETED)
          .execute();
    });
}
