import { sql } from 'kysely';
import type { Database } from '../engine/database.ts';
import { isClaimable, LEASE_MS_MAX } from '../engine/lease.ts';
import { claimUnlessBlocked, compareText, createTenantSearch, type SearchScope } from '../engine/tenant-search.ts';
import { type BacklogRow, sumOfBacklogs, toBacklog } from '../query/backlog.ts';
import type { WebhookRow } from '../schema/tables.ts';
import { type PresentColumns, presentOf, rightsOf, rowToClaim, rowToDue } from './codec.ts';
import { countFailures } from './failures.ts';
import { createRemoval } from './removal.ts';
import { scopeOf } from './settings.ts';
import { settle } from './settle.ts';
import type { ClaimedWebhook, WebhookQueue } from './webhook.ts';

export const createWebhookQueue = (database: Database): WebhookQueue => ({
  ...webhookClaims(database),
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
      sql<RightsRow>`
        select ${RIGHTS} from webhook ${COVERING}
        where webhook.tenant = ${tenant} and webhook.id = ${webhookId}`.execute(db),
    );
    const [row] = rows;
    return row === undefined ? { scopes: null, capabilities: null } : presentOf(row, row);
  },
  settle: (claim, settlement) => database.write(scopeOf(claim), (trx) => settle(trx, claim, settlement)),
  measureBacklog: async () => {
    const unread = await database.read((db) => UNREAD_EVENTS.execute(db));
    const retried = await database.read((db) => RETRIED_DELIVERIES.execute(db));
    return sumOfBacklogs([...unread.rows, ...retried.rows].map(toBacklog));
  },
  removeDeliveries: createRemoval(database),
});

const UNREAD_EVENTS = sql<BacklogRow>`
  select sum(event_head.sequence - cursor_at) as depth, min(event.time) as oldest
  from webhook join event_head on event_head.tenant = webhook.tenant
    left join event on event.tenant = webhook.tenant and event.sequence = cursor_at + 1
  where enabled = 1 and is_deleted = 0 and cursor_at < event_head.sequence`;

const RETRIED_DELIVERIES = sql<BacklogRow>`
  select count(*) as depth, min(created) as oldest from webhook_delivery where next_ms is not null`;

type RightsRow = Pick<WebhookRow, 'client_id' | 'client_created' | 'scopes' | 'identity_id'> & PresentColumns;
type Candidate = Pick<WebhookRow, 'tenant' | 'id' | 'fence' | 'types' | 'cursor_at' | 'claimable_at_ms'> &
  RightsRow & { readonly is_due: number };

const RIGHTS = sql`client_id, client_created, webhook.scopes, webhook.identity_id, client.scopes as client_scopes,
  client.is_bootstrap, client.maker_capabilities, identity.capabilities`;

/** The client and the identity that cover a webhook, where they are still there. */
const COVERING = sql`
  left join oauth_client as client on client.tenant = webhook.tenant and client.id = client_id
    and client.created = client_created
  left join identity on identity.tenant = webhook.tenant and identity.id = webhook.identity_id`;

async function readCandidates({ read }: Database, nowMs: number, scope: SearchScope): Promise<readonly Candidate[]> {
  const ofTenant = 'tenant' in scope ? sql`webhook.tenant = ${scope.tenant} and` : sql``;
  const limit = 'limit' in scope ? sql`limit ${scope.limit}` : sql``;
  const { rows } = await read((db) =>
    sql<Candidate>`
      select webhook.tenant, webhook.id, fence, types, cursor_at, claimable_at_ms, ${RIGHTS},
        case when due_ms <= ${nowMs} then 1 else 0 end as is_due
      from webhook left join event_head on event_head.tenant = webhook.tenant ${COVERING}
      where ${ofTenant} is_deleted = 0 and ${isClaimable(nowMs, LEASE_MS_MAX)}
        and (due_ms <= ${nowMs} or (enabled = 1 and cursor_at <> coalesce(event_head.sequence, 0)))
      order by claimable_at_ms, webhook.tenant, webhook.id ${limit}`.execute(db),
  );
  return rows;
}

function webhookClaims(database: Database): Pick<WebhookQueue, 'findCandidates' | 'advance' | 'claim' | 'renew'> {
  const search = createTenantSearch<number, Candidate>({
    changedTenants: database.changedTenants,
    finds: ['events', 'register'],
    read: (nowMs, scope) => readCandidates(database, nowMs, scope),
    compare: (one, other) =>
      one.claimable_at_ms - other.claimable_at_ms ||
      compareText(one.tenant, other.tenant) ||
      compareText(one.id, other.id),
  });
  return {
    findCandidates: async ({ nowMs, limit }) =>
      (await search(nowMs, { limit })).map((row) => ({
        tenant: row.tenant,
        webhookId: row.id,
        fence: row.fence,
        cursor: row.cursor_at,
        types: JSON.parse(row.types),
        rights: rightsOf(row),
        isDue: row.is_due === 1,
        present: presentOf(row, row),
      })),
    advance: async (tenant, passed, nowMs) => {
      const advancing = database.write({ tenant, changes: 'webhooks', isLease: true }, async (trx) => {
        for (const { webhookId, fence, cursor } of passed)
          await trx
            .updateTable('webhook')
            .set({ cursor_at: cursor, claimable_at_ms: nowMs })
            .where('tenant', '=', tenant)
            .where('id', '=', webhookId)
            .where('fence', '=', fence)
            .execute();
      });
      await claimUnlessBlocked(database, advancing);
    },
    claim: async ([first, ...more], { nowMs, leaseMs }) => {
      if (first === undefined) return [];
      const claiming = database.write({ tenant: first.tenant, changes: 'webhooks', isLease: true }, async (trx) => {
        const claims: ClaimedWebhook[] = [];
        for (const { tenant, webhookId, fence } of [first, ...more]) {
          const row = await trx
            .updateTable('webhook')
            .set({ fence: fence + 1, claimable_at_ms: nowMs + leaseMs })
            .where('tenant', '=', tenant)
            .where('id', '=', webhookId)
            .where('fence', '=', fence)
            .where('is_deleted', '=', 0)
            .returningAll()
            .executeTakeFirst();
          if (row !== undefined) claims.push(rowToClaim(row, { nowMs, failures: await countFailures(trx, row) }));
        }
        return claims;
      });
      return (await claimUnlessBlocked(database, claiming)) ?? [];
    },
    renew: ([first, ...more], leaseEndMs) => {
      if (first === undefined) return Promise.resolve([]);
      return database.write(scopeOf(first), async (trx) => {
        const held: string[] = [];
        for (const { tenant, webhookId, fence } of [first, ...more]) {
          const { numUpdatedRows } = await trx
            .updateTable('webhook')
            .set({ claimable_at_ms: leaseEndMs })
            .where('tenant', '=', tenant)
            .where('id', '=', webhookId)
            .where('fence', '=', fence)
            .executeTakeFirstOrThrow();
          if (numUpdatedRows > 0n) held.push(webhookId);
        }
        return held;
      });
    },
  };
}
