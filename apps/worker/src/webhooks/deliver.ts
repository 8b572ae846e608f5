import {
  coveredTypes,
  type EventType,
  parseEventPatterns,
  WEBHOOK_TEST_TYPE,
  webhookReaderOf,
} from '@access-admin/domain';
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
import { concludeAttempt } from './conclude.ts';
import { type Attempted, createDeliveryState, type DeliveryState, type DeliveryStateDeps } from './delivery-state.ts';
import { PIECE_BYTES_MAX, sizeOf, takePiece } from './piece.ts';
import type { Render } from './render.ts';

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
  /** Signals that there may be new events. With `isWanted`, another webhook waits for its place. */
  wake(isWanted: boolean): void;
  /** Delivers until nothing is due. Rejects if the storage fails; outcomes that were not stored are delivered again. */
  run(): Promise<void>;
}

const EVENTS_AT_ONCE = 100;
/** While attempts fail, retries break the order anyway, so events need not be delivered one by one. */
const PARALLEL_MAX = 8;
const RETRIES_PARALLEL_MAX = 4;
const RETRIES_AT_ONCE = 32;
const UNREADABLE_PAUSE_MS = 30_000;
/** A turn lasts this long at least, so that frequent events need no claim and no release each. */
const TURN_MS_MIN = 1_000;

export function createDelivery(deps: DeliverDeps, claim: ClaimedWebhook, leaseEndMs: number): Delivery {
  const { tenant, webhookId } = claim;
  const state = createDeliveryState(deps, claim, leaseEndMs);
  const keys = claim.secrets.map((sealed) => deps.cipher.open({ purpose: 'webhook', tenant, id: webhookId }, sealed));
  const known = keys.filter((key) => key !== null);
  const work: Work = {
    deps,
    state,
    attempt: createAttempt(deps, state, known),
    wakeup: Promise.withResolvers(),
    isTurnOver: false,
  };
  return {
    state,
    wake: (isWanted) => {
      work.isTurnOver ||= isWanted;
      work.wakeup.resolve();
    },
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
  readonly attempt: Attempt;
  wakeup: PromiseWithResolvers<void>;
  /** Whether the webhook is released once nothing is due. */
  isTurnOver: boolean;
}

/** The event types that the webhook may receive now. Disables it if its caller may not manage webhooks any more. */
async function readTypes({ deps, state }: Work): Promise<readonly EventType[]> {
  const { rights, types } = state.claim;
  const reader = webhookReaderOf(rights, await deps.webhooks.readPresentRights(state.claim));
  if (reader.ok) return coveredTypes(types, reader.value);
  state.disable(reader.failure);
  return [];
}

/** Delivers new events and retries concurrently, so that neither waits for the other. */
async function deliverAll(work: Work): Promise<void> {
  const { deps, state } = work;
  const { enabled } = state.claim;
  const retries: { current: Promise<void> | null } = { current: null };
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  state.stopping.addEventListener('abort', () => stop(), { once: true });
  const turn = deps.wait(TURN_MS_MIN, state.stopping).then(() => {
    work.isTurnOver = true;
  });
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
      if (retries.current === null && work.isTurnOver) return;
      const pending = [retries.current, work.isTurnOver ? null : turn].filter((one) => one !== null);
      await Promise.race([...pending, work.wakeup.promise, stopped]);
    }
  } finally {
    await retries.current;
  }
}

/** Delivers events in order, or in parallel while attempts fail. True if there are more. */
async function deliverPage(work: Work): Promise<boolean> {
  const { deps, state } = work;
  const named = parseEventPatterns(state.claim.types, 'types');
  const { places, range, through, isGone } = await deps.events.find(state.claim.tenant, {
    after: state.cursor,
    types: named.ok ? named.value : [],
    limit: EVENTS_AT_ONCE,
  });
  if (isGone) {
    // The events were pruned, or the database was restored from a backup.
    state.cursor = state.cursor > range.last ? range.last : range.oldest - 1;
    return state.cursor < range.last;
  }
  // Read after the events: rights may have been granted or revoked before the latest of them.
  const types = places.length > 0 ? await readTypes(work) : [];
  const readable = places.filter(({ type }) => types.includes(type));
  for (let next = 0; next < readable.length && !state.isOver(); ) {
    const piece = takePiece(readable.slice(next));
    if (!(await deliverPiece(work, piece))) return false;
    next += piece.length;
  }
  if (!state.isOver()) state.cursor = Math.max(state.cursor, through);
  if (readable.length > 0) await state.store();
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
 * Attempts a batch. A tenant's failing receivers share a limited number of turns, so that having more of them costs other
 * tenants nothing.
 */
async function attemptInTurn(
  { deps, state }: Work,
  attemptBatch: () => Promise<readonly Attempted[]>,
): Promise<readonly Attempted[]> {
  const turn = deps.failing.open(state.claim.tenant, { signal: () => state.stopping });
  if (state.isFailing() && !(await turn.acquire()).ok) return [];
  try {
    const batch = await attemptBatch();
    if (state.isStoreDue()) await state.store();
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
  const ended = await attempt(delivery, deps.render.event(state.claim, event));
  return ended === null ? null : { outcome: concludeAttempt(delivery, ended), ended, since: event.time };
}

async function retryDue(work: Work): Promise<void> {
  const { deps, state } = work;
  while (!state.isOver()) {
    state.dueMs = null;
    const due = await deps.webhooks.findDue(state.claim, { nowMs: deps.now(), limit: RETRIES_AT_ONCE });
    if (due.length === 0) return;
    for (let next = 0; next < due.length; next += RETRIES_PARALLEL_MAX) {
      const types = state.claim.enabled ? await readTypes(work) : [];
      if (state.isOver()) return;
      const batch = due.slice(next, next + RETRIES_PARALLEL_MAX);
      await attemptInTurn(work, async () => {
        const results = await Promise.all(batch.map((delivery) => retry(work, delivery, types)));
        return results.filter((attempted) => attempted !== null);
      });
    }
    await state.store();
  }
}

async function retry(work: Work, delivery: DueDelivery, types: readonly EventType[]): Promise<Attempted | null> {
  const { deps, state } = work;
  const places = await findEvent(deps, state.claim, delivery);
  const held = await holdMemory(deps, state, places);
  try {
    if (state.isOver()) return null;
    const isReadable = delivery.type === WEBHOOK_TEST_TYPE || types.includes(delivery.type);
    const body = isReadable ? await readBody(deps, state.claim, { ...delivery, places }) : null;
    if (body === null) {
      const error = isReadable
        ? 'The event is no longer kept.'
        : 'The webhook is no longer allowed to receive this event.';
      const answer = { status: null, retryAfter: null, error };
      const ended = { answer, startedMs: deps.now(), endedMs: deps.now(), random: 0 };
      state.recordOutcome({ ...concludeAttempt(delivery, ended), state: 'FAILED', nextMs: null });
      return null;
    }
    const ended = await work.attempt(delivery, body);
    if (ended === null) return null;
    const attempted = { outcome: concludeAttempt(delivery, ended), ended, since: delivery.created };
    state.record(attempted);
    return attempted;
  } finally {
    held.release();
  }
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
  claim: ClaimedWebhook,
  delivery: DueDelivery & { readonly places: readonly EventPlace[] },
): Promise<string | null> {
  if (delivery.body !== null) return render.test(claim, delivery);
  for await (const event of events.readAt(claim.tenant, delivery.places)) return render.event(claim, event);
  return null;
}
