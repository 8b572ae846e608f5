import {
  type EventStore,
  leastDeliveryId,
  TenantRemoved,
  type WebhookCandidate,
  type WebhookQueue,
} from '@access-admin/store';
import type { Logger } from 'pino';
import type { LeasedWork } from '../leased/loop.ts';
import { createDelivery, type DeliverDeps, type Delivery } from './deliver.ts';
import { DELIVERY_KEPT_DAYS, WEBHOOKS_AT_ONCE_MAX } from './limits.ts';
import { typesOf } from './types-of.ts';

export interface WebhookWorkDeps extends Omit<DeliverDeps, 'webhooks' | 'events'> {
  readonly webhooks: WebhookQueue;
  readonly events: Pick<EventStore, 'readAt' | 'find'>;
  readonly log: Pick<Logger, 'error'>;
}

/** Delivers events to webhooks. */
export type WebhookWork = LeasedWork<Delivery>;

const LOOK_EVERY_MS = 200;
/** A killed worker delays its webhooks by this time at most. Half of it is for slow writes. */
const LEASE_MS = 4_000;
const ADVANCE_EVERY_MS = 1_000;
const KEPT_MS = DELIVERY_KEPT_DAYS * 24 * 3_600_000;

export function createWebhookWork(deps: WebhookWorkDeps): WebhookWork {
  const { webhooks, log, now } = deps;
  const underway = new Set<Delivery>();
  const findMatching = createFindMatching(deps);

  return {
    leaseMs: LEASE_MS,
    renewEveryMs: LEASE_MS / 2,
    arisesFrom: ['any', 'events', 'register'],
    idleMs: () => LOOK_EVERY_MS,
    tenantOf: ({ state }) => state.claim.tenant,
    claim: async () => {
      for (const delivery of underway) delivery.wake();
      const limit = WEBHOOKS_AT_ONCE_MAX - underway.size;
      if (limit <= 0) return [];
      const candidates = await findMatching(await webhooks.findCandidates({ nowMs: now(), limit }));
      const claimed: Delivery[] = [];
      for (const some of Map.groupBy(candidates, ({ tenant }) => tenant).values()) {
        const nowMs = now();
        for (const claim of await webhooks.claim(some, { nowMs, leaseMs: LEASE_MS }))
          claimed.push(createDelivery(deps, claim, nowMs + LEASE_MS));
      }
      for (const delivery of claimed) underway.add(delivery);
      return claimed;
    },
    renew: async (deliveries, leaseEndMs) => {
      const claims = deliveries.map(({ state }) => state.claim);
      const held = new Set(await webhooks.renew(claims, leaseEndMs));
      const isHeld = ({ state }: Delivery) => held.has(state.claim.webhookId);
      for (const delivery of deliveries)
        if (isHeld(delivery)) delivery.state.leaseEndMs = leaseEndMs;
        else delivery.state.abandon();
      return deliveries.filter(isHeld);
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

/** Leaves out webhooks whose next events do not match, and moves their cursors from time to time. */
function createFindMatching({ webhooks, events, now }: WebhookWorkDeps) {
  const advancedMs = new Map<string, number>();
  return async (candidates: readonly WebhookCandidate[]): Promise<readonly WebhookCandidate[]> => {
    const matching: WebhookCandidate[] = [];
    const passed: (WebhookCandidate & { readonly through: number })[] = [];
    for (const candidate of candidates) {
      const { tenant, cursor, isDue } = candidate;
      const types = typesOf(candidate, candidate.present);
      // One that must be disabled is claimed.
      const found =
        isDue || !types.ok ? null : await events.find(tenant, { after: cursor, types: types.value, limit: 1 });
      if (found === null || found.isGone || found.places.length > 0) matching.push(candidate);
      else passed.push({ ...candidate, through: found.through });
    }
    for (const [tenant, some] of Map.groupBy(passed, (one) => one.tenant)) {
      const nowMs = now();
      if (Math.abs(nowMs - (advancedMs.get(tenant) ?? 0)) < ADVANCE_EVERY_MS) continue;
      advancedMs.set(tenant, nowMs);
      const cursors = some.map(({ webhookId, fence, through }) => ({ webhookId, fence, cursor: through }));
      await webhooks.advance(tenant, cursors, nowMs);
    }
    return matching;
  };
}

/** Removes old deliveries, some at a time; true when there may be more. */
export const removeOldDeliveries = ({ webhooks }: Pick<WebhookWorkDeps, 'webhooks'>, nowMs: number): Promise<boolean> =>
  webhooks.removeDeliveries(leastDeliveryId(nowMs - KEPT_MS));
