import { type EventStore, leastOrderedId, TenantRemoved, type WebhookQueue } from '@access-admin/store';
import type { Logger } from 'pino';
import type { LeasedWork } from '../leased/loop.ts';
import { createDelivery, type DeliverDeps, type Delivery } from './deliver.ts';
import { DELIVERY_KEPT_DAYS, WEBHOOKS_AT_ONCE_MAX } from './limits.ts';

export interface WebhookWorkDeps extends DeliverDeps {
  readonly webhooks: WebhookQueue;
  readonly events: Pick<EventStore, 'find' | 'lastOf' | 'readAt'>;
  readonly log: Pick<Logger, 'error'>;
}

/** Delivers events to webhooks. */
export type WebhookWork = LeasedWork<Delivery>;

const LOOK_EVERY_MS = 200;
/** A killed worker delays its webhooks by this time at most. Half of it is for slow writes. */
const LEASE_MS = 4_000;
const KEPT_MS = DELIVERY_KEPT_DAYS * 24 * 3_600_000;

export function createWebhookWork(deps: WebhookWorkDeps): WebhookWork {
  const { webhooks, events, log, now } = deps;
  const underway = new Set<Delivery>();

  /** With `isFull`, those without events are woken too, to be released. */
  const wakeThoseWithEvents = async (isFull: boolean) => {
    const lastOf = await events.lastOf([...new Set(Array.from(underway, ({ state }) => state.claim.tenant))]);
    for (const delivery of underway) {
      const { claim, cursor } = delivery.state;
      if (isFull || (lastOf.get(claim.tenant) ?? 0) > cursor) delivery.wake(isFull);
    }
  };

  return {
    leaseMs: LEASE_MS,
    renewEveryMs: LEASE_MS / 2,
    arisesFrom: ['any', 'events', 'register'],
    idleMs: () => LOOK_EVERY_MS,
    tenantOf: ({ state }) => state.claim.tenant,
    // A tenant has fewer webhooks than half of the places.
    claim: async () => {
      const limit = WEBHOOKS_AT_ONCE_MAX - underway.size;
      await wakeThoseWithEvents(limit <= 0);
      if (limit <= 0) return [];
      const nowMs = now();
      const claims = await webhooks.claim({ nowMs, leaseMs: LEASE_MS, limit });
      const claimed = claims.map((claim) => createDelivery(deps, claim, nowMs + LEASE_MS));
      for (const delivery of claimed) underway.add(delivery);
      return claimed;
    },
    renew: async (deliveries, leaseEndMs) => {
      const held = new Set(
        await webhooks.renew(
          deliveries.map(({ state }) => state.claim),
          leaseEndMs,
        ),
      );
      for (const { state } of deliveries)
        if (held.has(state.claim)) state.leaseEndMs = leaseEndMs;
        else state.abandon();
      return deliveries.filter(({ state }) => held.has(state.claim));
    },
    run: async (delivery, { signal }) => {
      const { state } = delivery;
      // Attempts under way are ended: the next worker repeats them. What has ended is stored, and the webhook is released.
      signal.addEventListener('abort', state.stop, { once: true });
      try {
        await delivery.run();
      } catch (err) {
        state.abandon();
        const { tenant, webhookId } = state.claim;
        // What it delivered since is delivered again, when its lease has ended.
        if (!(err instanceof TenantRemoved))
          log.error({ err, tenant, webhookId }, 'a webhook is left until its lease ends');
      } finally {
        underway.delete(delivery);
      }
    },
  };
}

/** Removes old deliveries, some at a time; true when there may be more. */
export const removeOldDeliveries = ({ webhooks }: Pick<WebhookWorkDeps, 'webhooks'>, nowMs: number): Promise<boolean> =>
  webhooks.removeDeliveries(leastOrderedId(nowMs - KEPT_MS));
