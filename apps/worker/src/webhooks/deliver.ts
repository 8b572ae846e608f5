import { type EventType, WEBHOOK_TEST_TYPE } from '@access-admin/domain';
import type { Semaphore, Slot } from '@access-admin/scheduling';
import type {
  ClaimedWebhook,
  DueDelivery,
  EventPlace,
  EventStore,
  SecretCipher,
  StoredEvent,
  WebhookQueue,
} from '@access-admin/store';
import { type Attempt, type AttemptDeps, createAttempt } from './attempt.ts';
import { type BackOff, createBackOff } from './back-off.ts';
import { concludeAttempt, isSuccess } from './conclude.ts';
import { type Attempted, createDeliveryState, type DeliveryState, type DeliveryStateDeps } from './delivery-state.ts';
import { PIECE_BYTES_MAX, sizeOf, takePiece } from './piece.ts';
import type { Render } from './render.ts';
import { typesOf } from './types-of.ts';

export interface DeliverDeps extends AttemptDeps, Pick<DeliveryStateDeps, 'onJobEnd'> {
  readonly webhooks: Pick<WebhookQueue, 'findDue' | 'readPresentRights' | 'settle'>;
  readonly events: Pick<EventStore, 'find' | 'readAt'>;
  /** Limits concurrent batches of attempts at failing receivers. */
  readonly failing: Semaphore;
  /** Limits the bytes of large events in memory. */
  readonly memory: Semaphore;
  readonly cipher: SecretCipher;
  readonly render: Render;
  readonly newDeliveryId: (nowMs: number) => string;
  /** Resolves after `ms`, or as soon as the signal is aborted; never rejects. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

/** Delivers the events of one claimed webhook. */
export interface Delivery {
  readonly state: DeliveryState;
  /** Signals that there may be new events. */
  wake(): void;
  /** Delivers until nothing is due. Rejects if the storage fails; outcomes that were not stored are delivered again. */
  run(): Promise<void>;
}

const EVENTS_AT_ONCE = 100;
/** While attempts fail, retries break the order anyway, so events need not be delivered one by one. */
const PARALLEL_MAX = 8;
const RETRIES_PARALLEL_MAX = 4;
const RETRIES_AT_ONCE = 32;
const UNREADABLE_PAUSE_MS = 60_000;

export function createDelivery(deps: DeliverDeps, claim: ClaimedWebhook, leaseEndMs: number): Delivery {
  const { tenant, webhookId } = claim;
  const state = createDeliveryState(deps, claim, leaseEndMs);
  const keys = claim.secrets.map((sealed) => deps.cipher.open({ purpose: 'webhook', tenant, id: webhookId }, sealed));
  const known = keys.filter((key) => key !== null);
  const work: Work = {
    deps,
    state,
    types: [],
    attempt: createAttempt(deps, state, known),
    backOff: createBackOff(claim.failures),
    wakeup: Promise.withResolvers(),
  };
  return {
    state,
    wake: () => work.wakeup.resolve(),
    run: async () => {
      // Without its secrets no delivery can be signed. Another worker may have the key.
      if (known.length < keys.length) return state.store(deps.now() + UNREADABLE_PAUSE_MS);
      if (claim.enabled) await readTypes(work);
      await deliverAll(work);
      await state.store(deps.now());
    },
  };
}

interface Work {
  readonly deps: DeliverDeps;
  readonly state: DeliveryState;
  /** The event types that the webhook may receive, as last read. */
  types: readonly EventType[];
  readonly attempt: Attempt;
  readonly backOff: BackOff;
  wakeup: PromiseWithResolvers<void>;
}

/** Rereads the permitted event types, and disables the webhook if there are none. True if they have not changed. */
async function readTypes(work: Work): Promise<boolean> {
  const { deps, state } = work;
  const types = typesOf(state.claim, await deps.webhooks.readPresentRights(state.claim));
  if (!types.ok) state.disable(types.failure);
  const isSame = types.ok && types.value.join() === work.types.join();
  work.types = types.ok ? types.value : [];
  return isSame;
}

/** Delivers new events and retries concurrently, so that neither waits for the other. */
async function deliverAll(work: Work): Promise<void> {
  const { deps, state } = work;
  const { enabled } = state.claim;
  const retries: { current: Promise<void> | null } = { current: null };
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  state.stopping.addEventListener('abort', () => stop(), { once: true });
  try {
    for (let hasMore = false; !state.isOver(); ) {
      if (retries.current === null && state.dueMs !== null && state.dueMs <= deps.now()) {
        retries.current = retryDue(work).finally(() => {
          retries.current = null;
        });
        // Rejections surface where it is awaited.
        retries.current.catch(() => {});
      }
      work.wakeup = Promise.withResolvers();
      if (enabled) hasMore = await deliverPage(work);
      if (hasMore || state.isOver()) continue;
      if (retries.current === null) return;
      await Promise.race([retries.current, work.wakeup.promise, stopped]);
    }
  } finally {
    await retries.current;
  }
}

/** Delivers events in order, or in parallel while attempts fail. True if there are more. */
async function deliverPage(work: Work): Promise<boolean> {
  const { deps, state, types } = work;
  const { places, range, through, isGone } = await deps.events.find(state.claim.tenant, {
    after: state.cursor,
    types,
    limit: EVENTS_AT_ONCE,
  });
  if (isGone) {
    // The events were pruned, or the database was restored from a backup.
    state.cursor = state.cursor > range.last ? range.last : range.oldest - 1;
    return state.cursor < range.last;
  }
  // Rights may have been revoked before the latest of these events.
  if (places.length > 0 && !(await readTypes(work))) return true;
  for (let next = 0; next < places.length && !state.isOver(); ) {
    const piece = takePiece(places.slice(next));
    if (!(await deliverPiece(work, piece))) return false;
    next += piece.length;
  }
  if (!state.isOver()) state.cursor = Math.max(state.cursor, through);
  if (places.length > 0) await state.store();
  return state.cursor < range.last;
}

/** False if stopped. */
async function deliverPiece(work: Work, places: readonly EventPlace[]): Promise<boolean> {
  const { deps, state } = work;
  const { tenant } = state.claim;
  const held = await holdMemory(deps, state, places);
  try {
    const events: StoredEvent[] = [];
    if (!state.isOver()) for await (const event of deps.events.readAt(tenant, places)) events.push(event);
    for (let next = 0; next < events.length && !state.isOver(); ) {
      const batch = events.slice(next, next + (state.isFailing() ? PARALLEL_MAX : 1));
      const attempted = await attemptInTurn(work, () => deliverBatch(work, batch));
      if (attempted.length < batch.length) return false;
      next += batch.length;
    }
    return true;
  } finally {
    held.release();
  }
}

/** Delivers in parallel. Returns only the attempts before the first that was stopped, because the rest is delivered again. */
async function deliverBatch(work: Work, events: readonly StoredEvent[]): Promise<readonly Attempted[]> {
  const completed: Attempted[] = [];
  for (const attempted of await Promise.all(events.map((event) => deliver(work, event)))) {
    if (attempted === null) break;
    work.state.record(attempted);
    work.state.cursor = attempted.outcome.sequence;
    completed.push(attempted);
  }
  return completed;
}

/**
 * Attempts a batch, and backs off after fast failures. A tenant's failing receivers share a limited number of turns, which
 * include the back-off, so that having more of them costs other tenants nothing.
 */
async function attemptInTurn(
  { deps, state, backOff }: Work,
  attemptBatch: () => Promise<readonly Attempted[]>,
): Promise<readonly Attempted[]> {
  const turn = deps.failing.open(state.claim.tenant, { signal: () => state.stopping });
  if (state.isFailing() && !(await turn.acquire()).ok) return [];
  try {
    const batch = await attemptBatch();
    if (state.isStoreDue()) await state.store();
    const times = batch.map(({ ended }) => ({ ...ended, hasFailed: !isSuccess(ended.answer) }));
    const backOffMs = backOff.after(times);
    if (backOffMs > 0 && !state.isOver()) await deps.wait(backOffMs, state.stopping);
    return batch;
  } finally {
    turn.release();
  }
}

async function deliver({ deps, state, attempt }: Work, event: StoredEvent): Promise<Attempted | null> {
  const atMs = deps.now();
  const delivery: DueDelivery = {
    id: deps.newDeliveryId(atMs),
    eventId: event.id,
    sequence: event.sequence,
    type: event.type,
    created: new Date(atMs).toISOString(),
    failures: 0,
    attempts: [],
    body: null,
  };
  const ended = await attempt(delivery, deps.render.event(state.claim.tenant, event));
  return ended === null
    ? null
    : { outcome: { ...concludeAttempt(delivery, ended), isNew: true }, ended, since: event.time };
}

async function retryDue(work: Work): Promise<void> {
  const { deps, state } = work;
  while (!state.isOver()) {
    state.dueMs = null;
    const due = await deps.webhooks.findDue(state.claim, { nowMs: deps.now(), limit: RETRIES_AT_ONCE });
    if (due.length === 0) return;
    for (let next = 0; next < due.length; next += RETRIES_PARALLEL_MAX) {
      if (state.claim.enabled) await readTypes(work);
      if (state.isOver()) return;
      const batch = due.slice(next, next + RETRIES_PARALLEL_MAX);
      await attemptInTurn(work, async () => {
        const results = await Promise.all(batch.map((delivery) => retry(work, delivery)));
        return results.filter((attempted) => attempted !== null);
      });
    }
    await state.store();
  }
}

async function retry(work: Work, delivery: DueDelivery): Promise<Attempted | null> {
  const { deps, state } = work;
  const places = await findEvent(deps, state.claim, delivery);
  const held = await holdMemory(deps, state, places);
  try {
    return state.isOver() ? null : await retryInMemory(work, delivery, places);
  } finally {
    held.release();
  }
}

async function retryInMemory(
  { deps, state, attempt, types }: Work,
  delivery: DueDelivery,
  places: readonly EventPlace[],
): Promise<Attempted | null> {
  const isReadable = delivery.type === WEBHOOK_TEST_TYPE || types.includes(delivery.type);
  const body = isReadable ? await readBody(deps, state.claim, { ...delivery, places }) : null;
  if (body === null) {
    const error = isReadable ? 'The event is not kept any more.' : 'The webhook may not be told of this any more.';
    const answer = { status: null, retryAfter: null, error };
    const ended = { answer, startedMs: deps.now(), endedMs: deps.now(), random: 0 };
    const failed = { state: 'FAILED', nextMs: null, isNew: false } as const;
    state.recordOutcome({ ...concludeAttempt(delivery, ended), ...failed });
    return null;
  }
  const ended = await attempt(delivery, body);
  if (ended === null) return null;
  const outcome = { ...concludeAttempt(delivery, ended), isNew: false };
  const attempted = { outcome, ended, since: delivery.created };
  state.record(attempted);
  return attempted;
}

/** Reserves memory for large events. Small ones need no reservation: the number of concurrent webhooks bounds them. */
async function holdMemory({ memory }: DeliverDeps, state: DeliveryState, places: readonly EventPlace[]): Promise<Slot> {
  const held = memory.open(state.claim.tenant, { signal: () => state.stopping });
  const bytes = sizeOf(places);
  if (bytes > PIECE_BYTES_MAX) await held.acquire(bytes);
  return held;
}

/** Empty for a test, and if the event is no longer kept. */
async function findEvent(
  { events }: DeliverDeps,
  { tenant }: ClaimedWebhook,
  { sequence, type }: DueDelivery,
): Promise<readonly EventPlace[]> {
  if (type === WEBHOOK_TEST_TYPE) return [];
  const { places } = await events.find(tenant, { after: sequence - 1, types: [type], limit: 1 });
  return places.filter((place) => place.sequence === sequence);
}

/** Null if the event is no longer kept. */
async function readBody(
  { events, render }: DeliverDeps,
  { tenant, webhookId }: ClaimedWebhook,
  delivery: DueDelivery & { readonly places: readonly EventPlace[] },
): Promise<string | null> {
  if (delivery.body !== null) return render.test(tenant, webhookId, delivery);
  for await (const event of events.readAt(tenant, delivery.places)) return render.event(tenant, event);
  return null;
}
