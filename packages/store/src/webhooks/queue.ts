import { sql } from 'kysely';
import type { Database } from '../engine/database.ts';
import { type BacklogRow, sumOfBacklogs, toBacklog } from '../query/backlog.ts';
import type { LeasedTable } from '../queue/leased-table.ts';
import { createLeases } from '../queue/leases.ts';
import { createLeasedQueue } from '../queue/queue.ts';
import { type PresentColumns, presentOf, type RightsColumns, rowToClaim, rowToDue } from './codec.ts';
import { createRemoval } from './removal.ts';
import { scopeOf } from './settings.ts';
import { settle } from './settle.ts';
import type { ClaimedWebhook, WebhookQueue } from './webhook.ts';

/** Webhooks with events after their cursor, or deliveries that are due. */
const LEASED_WEBHOOKS = {
  name: 'webhook',
  id: 'id',
  // A cursor is beyond the last event where a database was put back.
  pending: (nowMs, tenant) => sql<boolean>`(webhook.is_deleted = 0 and (webhook.due_ms <= ${nowMs}
    or (webhook.enabled = 1 and webhook.cursor_at <> coalesce(
      (select event_head.sequence from event_head where event_head.tenant = ${tenant}), 0))))`,
  sharedPerAlone: null,
  order: 'claimable_at_ms, id',
  arisesFrom: ['any', 'events', 'register'],
} as const satisfies LeasedTable;

export function createWebhookQueue(database: Database): WebhookQueue {
  const queue = createLeasedQueue(database, LEASED_WEBHOOKS);
  const { claim, renew } = createLeases(queue, { toClaim: rowToClaim, keyOf });
  return {
    claim,
    renew,
    settle: (claim, settlement) =>
      database.write(scopeOf(claim), async (trx) => {
        if (!(await queue.hold(trx, keyOf(claim)))) return false;
        await settle(trx, claim, settlement);
        return true;
      }),
    findDue: async ({ tenant, webhookId, enabled }, { nowMs, limit }) => {
      const rows = await database.read((db) =>
        db
          .selectFrom('webhook_delivery')
          .selectAll()
          .where('tenant', '=', tenant)
          .where('webhook_id', '=', webhookId)
          .where('next_ms', '<=', nowMs)
          // A disabled webhook gets tests only.
          .$if(!enabled, (query) => query.where('sequence', '=', 0))
          .orderBy('next_ms')
          .orderBy('id')
          .limit(limit)
          .execute(),
      );
      return rows.map(rowToDue);
    },
    readPresentRights: async ({ tenant, webhookId }) => {
      const { rows } = await database.read((db) =>
        sql<RightsColumns & PresentColumns>`
          select client_id, client_created, webhook.scopes, webhook.identity_id, client.scopes as client_scopes,
            client.is_bootstrap, client.maker_capabilities, identity.capabilities
          from webhook
            left join oauth_client as client on client.tenant = webhook.tenant and client.id = client_id
              and client.created = client_created
            left join identity on identity.tenant = webhook.tenant and identity.id = webhook.identity_id
          where webhook.tenant = ${tenant} and webhook.id = ${webhookId}`.execute(db),
      );
      const [row] = rows;
      return row === undefined ? { scopes: null, capabilities: null } : presentOf(row, row);
    },
    measureBacklog: async () => {
      const unread = await database.read((db) => UNREAD_EVENTS.execute(db));
      const retried = await database.read((db) => RETRIED_DELIVERIES.execute(db));
      return sumOfBacklogs([...unread.rows, ...retried.rows].map(toBacklog));
    },
    removeDeliveries: createRemoval(database),
  };
}

const keyOf = ({ tenant, webhookId, fence }: ClaimedWebhook) => ({ tenant, id: webhookId, fence });

const UNREAD_EVENTS = sql<BacklogRow>`
  select sum(event_head.sequence - cursor_at) as depth, min(event.time) as oldest
  from webhook join event_head on event_head.tenant = webhook.tenant
    left join event on event.tenant = webhook.tenant and event.sequence = cursor_at + 1
  where enabled = 1 and is_deleted = 0 and cursor_at < event_head.sequence`;

const RETRIED_DELIVERIES = sql<BacklogRow>`
  select count(*) as depth, min(created) as oldest from webhook_delivery where next_ms is not null`;
