import { type DeliveryState, WEBHOOK_TEST_TYPE } from '@access-admin/domain';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../engine/database.ts';
import { compileFilter } from '../query/filter.ts';
import { countRows } from '../query/total.ts';
import { recordChanges } from '../record/audit/append-event.ts';
import type { Tables, WebhookDeliveryRow } from '../schema/tables.ts';
import { rowToDelivery } from './codec.ts';
import { findRow, scopeOf } from './settings.ts';
import type { DeliveryCondition, DeliveryStore, NewTest, WebhookPlace } from './webhook.ts';

export const createDeliveryStore = (database: Database): DeliveryStore => ({
  ...deliveryReads(database),
  ...deliveryWrites(database),
});

function deliveryReads({ read }: Database): Pick<DeliveryStore, 'listDeliveries' | 'countDeliveries'> {
  return {
    listDeliveries: async (place, conditions, { limit, offset, after = null }) => {
      const rows = await read((db) =>
        matching(db, place, conditions)
          .$if(after !== null, (query) => query.where('id', '<', after ?? ''))
          .selectAll()
          .orderBy('id', 'desc')
          .limit(limit)
          .offset(offset)
          .execute(),
      );
      return rows.map(rowToDelivery);
    },
    countDeliveries: (place, conditions) => read((db) => countRows(matching(db, place, conditions))),
  };
}

function deliveryWrites(database: Database): Pick<DeliveryStore, 'resend' | 'test' | 'replay'> {
  return {
    resend: (auditContext, place, { id, nowMs }) =>
      database.write(scopeOf(auditContext), async (trx) => {
        const row = await trx
          .updateTable('webhook_delivery')
          .set({ state: 'PENDING' satisfies DeliveryState, failures: 0, next_ms: nowMs })
          .where('tenant', '=', place.tenant)
          .where('webhook_id', '=', place.webhookId)
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirst();
        if (row === undefined) return null;
        await makeDue(trx, place, nowMs);
        await recordRequest(trx, auditContext, place, { resent: id });
        return rowToDelivery(row);
      }),
    test: (auditContext, test, nowMs) =>
      database.write(scopeOf(auditContext), async (trx) => {
        if ((await findRow(trx, test.tenant, test.webhookId)) === undefined) return null;
        const row = testToRow(test, nowMs);
        await trx.insertInto('webhook_delivery').values(row).execute();
        await makeDue(trx, test, nowMs);
        await recordRequest(trx, auditContext, test, { tested: test.id });
        return rowToDelivery(row);
      }),
    replay: (auditContext, place, after) =>
      database.write(scopeOf(auditContext), async (trx) => {
        const { tenant, webhookId } = place;
        if ((await findRow(trx, tenant, webhookId)) === undefined) return 'notFound';
        const head = await trx.selectFrom('event_head').selectAll().where('tenant', '=', tenant).executeTakeFirst();
        if (after < (head?.removed_to ?? 0) || after > (head?.sequence ?? 0)) return 'gone';
        await trx
          .updateTable('webhook')
          .set((eb) => ({ cursor_at: after, fence: eb('fence', '+', 1), claimable_at_ms: 0 }))
          .where('tenant', '=', tenant)
          .where('id', '=', webhookId)
          .where('cursor_at', '>', after)
          .execute();
        await recordRequest(trx, auditContext, place, { replayedAfter: after });
        return 'ok';
      }),
  };
}

async function makeDue(trx: Transaction<Tables>, { tenant, webhookId }: WebhookPlace, nowMs: number): Promise<void> {
  await trx
    .updateTable('webhook')
    .set({ due_ms: sql<number>`case when due_ms < ${nowMs} then due_ms else ${nowMs} end` })
    .where('tenant', '=', tenant)
    .where('id', '=', webhookId)
    .execute();
}

/** Records what was requested of a webhook that stays as it is. */
const recordRequest = (
  trx: Transaction<Tables>,
  auditContext: Parameters<typeof recordChanges>[1],
  ...[{ webhookId }, requested]: [WebhookPlace, Readonly<Record<string, string | number>>]
): Promise<void> => {
  const changes = Object.entries(requested).map(([field, after]) => ({ field, before: null, after }));
  return recordChanges(trx, auditContext, [{ resource: { type: 'WEBHOOK', id: webhookId }, changes }]);
};

const testToRow = ({ tenant, webhookId, id, eventId, created, data }: NewTest, nowMs: number): WebhookDeliveryRow => ({
  tenant,
  webhook_id: webhookId,
  id,
  event_id: eventId,
  sequence: 0,
  type: WEBHOOK_TEST_TYPE,
  state: 'PENDING',
  created,
  failures: 0,
  next_ms: nowMs,
  attempts: '[]',
  body: data,
});

const matching = (db: Kysely<Tables>, { tenant, webhookId }: WebhookPlace, conditions: readonly DeliveryCondition[]) =>
  db
    .selectFrom('webhook_delivery')
    .where('tenant', '=', tenant)
    .where('webhook_id', '=', webhookId)
    .where(compileFilter({ state: 'state', type: 'type' }, conditions));
