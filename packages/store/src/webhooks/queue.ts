import { sql } from 'kysely';
import type { Database } from '../engine/database.ts';
import { isClaimable, LEASE_MS_MAX } from '../engine/lease.ts';
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
  removeDeliveries: createRemoval(database),
});

type RightsRow = Pick<WebhookRow, 'client_id' | 'client_created' | 'scopes' | 'identity_id'> & PresentColumns;
type Candidate = Pick<WebhookRow, 'tenant' | 'id' | 'fence' | 'types' | 'cursor_at'> &
  RightsRow & { readonly is_due: number };

const RIGHTS = sql`client_id, client_created, webhook.scopes, webhook.identity_id, client.scopes as client_scopes,
  client.is_bootstrap, identity.capabilities`;

/** The client and the identity that cover a webhook, where they are still there. */
const COVERING = sql`
  left join oauth_client as client on client.tenant = webhook.tenant and client.id = client_id
    and client.created = client_created
  left join identity on identity.tenant = webhook.tenant and identity.id = webhook.identity_id`;

function webhookClaims(database: Database): Pick<WebhookQueue, 'findCandidates' | 'advance' | 'claim' | 'renew'> {
  return {
    findCandidates: async ({ nowMs, limit }) => {
      const { rows } = await database.read((db) =>
        sql<Candidate>`
          select webhook.tenant, webhook.id, fence, types, cursor_at, ${RIGHTS},
            case when due_ms <= ${nowMs} then 1 else 0 end as is_due
          from webhook left join event_head on event_head.tenant = webhook.tenant ${COVERING}
          where is_deleted = 0 and ${isClaimable(nowMs, LEASE_MS_MAX)}
            and (due_ms <= ${nowMs} or (enabled = 1 and cursor_at <> coalesce(event_head.sequence, 0)))
          order by claimable_at_ms, webhook.tenant, webhook.id limit ${limit}`.execute(db),
      );
      return rows.map((row) => ({
        tenant: row.tenant,
        webhookId: row.id,
        fence: row.fence,
        cursor: row.cursor_at,
        types: JSON.parse(row.types),
        rights: rightsOf(row),
        isDue: row.is_due === 1,
        present: presentOf(row, row),
      }));
    },
    advance: (tenant, passed, nowMs) =>
      database.write(scopeOf({ tenant }), async (trx) => {
        for (const { webhookId, fence, cursor } of passed)
          await trx
            .updateTable('webhook')
            .set({ cursor_at: cursor, claimable_at_ms: nowMs })
            .where('tenant', '=', tenant)
            .where('id', '=', webhookId)
            .where('fence', '=', fence)
            .execute();
      }),
    claim: ([first, ...more], { nowMs, leaseMs }) => {
      if (first === undefined) return Promise.resolve([]);
      return database.write(scopeOf(first), async (trx) => {
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
