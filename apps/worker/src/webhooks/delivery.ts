import { DELIVERY_KEPT_DAYS, WEBHOOKS_AT_ONCE_MAX } from '@access-admin/domain';
import type { EventStore, Store, WebhookCandidate, WebhookQueue } from '@access-admin/store';
import { leastDeliveryId } from '@access-admin/store';
import type { Logger } from 'pino';
import { createLane, type Lane, type LaneDeps } from './lane.ts';
import { typesOf } from './types-of.ts';

export interface DeliveryDeps extends Omit<LaneDeps, 'webhooks' | 'events'> {
  readonly webhooks: WebhookQueue;
  readonly events: Pick<EventStore, 'readAt' | 'find'>;
  readonly onCommit: Store['onCommit'];
  readonly log: Pick<Logger, 'error'>;
}

/** Delivers events to webhooks. */
export interface Delivery {
  /** Until the signal is aborted; resolves when what was delivered is stored. */
  run(signal: AbortSignal): Promise<void>;
}

/** How often new work is looked for, at least and at most. */
const POLL_EVERY_MS = 200;
const POLL_AGAIN_MS = 20;
const FAILED_PAUSE_MS = 1_000;
/** A killed worker delays its webhooks by this time at most. Half of it is for slow writes. */
const LEASE_MS = 4_000;
const ADVANCE_EVERY_MS = 1_000;
const SWEEP_EVERY_MS = 60_000;
// Without a reason, each abort makes an error with its stack.
const WOKEN = 'woken';
const KEPT_MS = DELIVERY_KEPT_DAYS * 24 * 3_600_000;

export function createDelivery(deps: DeliveryDeps): Delivery {
  const { log, now } = deps;
  const lanes = new Map<Lane, Promise<void>>();
  const findMatching = createFindMatching(deps);
  const sweep = createSweep(deps);

  const start = (lane: Lane): Promise<void> => {
    const { tenant, webhookId } = lane.book.claim;
    const ended = lane.run().catch((err) => {
      lane.book.abandon();
      // What it delivered since is delivered again, when its lease has ended.
      log.error({ err, tenant, webhookId }, 'a webhook is left until its lease ends');
    });
    const forgotten = ended.finally(() => lanes.delete(lane));
    lanes.set(lane, forgotten);
    return forgotten;
  };
  const claim = async (): Promise<readonly Promise<void>[]> => {
    const limit = WEBHOOKS_AT_ONCE_MAX - lanes.size;
    if (limit <= 0) return [];
    const candidates = await findMatching(await deps.webhooks.findCandidates({ nowMs: now(), limit }));
    const started: Promise<void>[] = [];
    for (const some of Map.groupBy(candidates, ({ tenant }) => tenant).values()) {
      const nowMs = now();
      for (const claimed of await deps.webhooks.claim(some, { nowMs, leaseMs: LEASE_MS }))
        started.push(start(createLane(deps, claimed, nowMs + LEASE_MS)));
    }
    return started;
  };

  return {
    run: async (signal) => {
      let wakeup = new AbortController();
      const unsubscribe = deps.onCommit(() => wakeup.abort(WOKEN));
      signal.addEventListener('abort', () => wakeup.abort(WOKEN), { once: true });
      while (!signal.aborted) {
        wakeup = new AbortController();
        for (const lane of lanes.keys()) lane.wake();
        const isDone = await findWork(deps, { lanes, claim, sweep });
        if (!signal.aborted) await deps.wait(isDone ? POLL_EVERY_MS : FAILED_PAUSE_MS, wakeup.signal);
        if (!signal.aborted) await deps.wait(POLL_AGAIN_MS, signal);
      }
      unsubscribe();
      // Attempts under way are ended: the next worker repeats them. What has ended is stored, and the webhooks are released.
      for (const { book } of lanes.keys()) book.stop();
      await Promise.all(lanes.values());
    },
  };
}

interface Finding {
  readonly lanes: ReadonlyMap<Lane, unknown>;
  claim(): Promise<unknown>;
  sweep(): Promise<void>;
}

/** False when the storage failed. */
async function findWork(deps: DeliveryDeps, { lanes, claim, sweep }: Finding): Promise<boolean> {
  try {
    await renew(deps, [...lanes.keys()]);
    await claim();
    await sweep();
    return true;
  } catch (err) {
    deps.log.error({ err }, 'the storage failed while webhooks were looked for');
    return false;
  }
}

/** Renews leases of which half has passed. */
async function renew({ webhooks, now }: DeliveryDeps, lanes: readonly Lane[]): Promise<void> {
  const nowMs = now();
  const due = lanes.filter(({ book }) => book.leaseEndMs - nowMs < LEASE_MS / 2);
  for (const [, some] of Map.groupBy(due, ({ book }) => book.claim.tenant)) {
    const held = await webhooks.renew(
      some.map(({ book }) => book.claim),
      nowMs + LEASE_MS,
    );
    for (const { book } of some)
      if (held.includes(book.claim.webhookId)) book.leaseEndMs = nowMs + LEASE_MS;
      else book.abandon();
  }
}

/** Leaves out webhooks whose next events do not match, and moves their cursors from time to time. */
function createFindMatching({ webhooks, events, now }: DeliveryDeps) {
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

/** Removes old deliveries once a minute, some at a time. */
function createSweep({ webhooks, now }: DeliveryDeps): () => Promise<void> {
  let sweptMs = Number.NEGATIVE_INFINITY;
  return async () => {
    const nowMs = now();
    if (Math.abs(nowMs - sweptMs) < SWEEP_EVERY_MS) return;
    if (!(await webhooks.removeDeliveries(leastDeliveryId(nowMs - KEPT_MS)))) sweptMs = nowMs;
  };
}
