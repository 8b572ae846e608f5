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
import { type Attempted, type Book, type BookDeps, createBook } from './book.ts';
import { concludeAttempt, isSuccess } from './conclude.ts';
import { PIECE_BYTES_MAX, sizeOf, takePiece } from './piece.ts';
import type { Render } from './render.ts';
import { typesOf } from './types-of.ts';

export interface DeliverDeps extends AttemptDeps, Pick<BookDeps, 'onJobEnd'> {
  readonly webhooks: Pick<WebhookQueue, 'findDue' | 'readPresentRights' | 'settle'>;
  readonly events: Pick<EventStore, 'find' | 'readAt'>;
  /** For batches of attempts at receivers that fail. */
  readonly failing: Semaphore;
  /** For the bytes of large events that are in memory. */
  readonly memory: Semaphore;
  readonly cipher: SecretCipher;
  readonly render: Render;
  readonly newDeliveryId: (nowMs: number) => string;
  /** Resolves after `ms`, or as soon as the signal is aborted; never rejects. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

/** The work on one claimed webhook. */
export interface Delivery {
  readonly book: Book;
  /** There may be new events. */
  wake(): void;
  /** Delivers until there is nothing to do; rejects when the storage fails. What is not stored then is delivered again. */
  run(): Promise<void>;
}

const EVENTS_AT_ONCE = 100;
/** While attempts fail, there is no order to keep. */
const PARALLEL_MAX = 8;
const RETRIES_PARALLEL_MAX = 4;
const RETRIES_AT_ONCE = 32;
const UNREADABLE_PAUSE_MS = 60_000;

export function createDelivery(deps: DeliverDeps, claim: ClaimedWebhook, leaseEndMs: number): Delivery {
  const { tenant, webhookId } = claim;
  const book = createBook(deps, claim, leaseEndMs);
  const keys = claim.secrets.map((sealed) => deps.cipher.open({ purpose: 'webhook', tenant, id: webhookId }, sealed));
  const known = keys.filter((key) => key !== null);
  const work: Work = {
    deps,
    book,
    types: [],
    attempt: createAttempt(deps, book, known),
    backOff: createBackOff(claim.failures),
    wakeup: Promise.withResolvers(),
  };
  return {
    book,
    wake: () => work.wakeup.resolve(),
    run: async () => {
      // Without its secret nothing can be signed. Another worker may have the key.
      if (known.length < keys.length) return book.store(deps.now() + UNREADABLE_PAUSE_MS);
      if (claim.enabled) await readTypes(work);
      await deliverAll(work);
      await book.store(deps.now());
    },
  };
}

interface Work {
  readonly deps: DeliverDeps;
  readonly book: Book;
  /** What the webhook may be told, at the last look. */
  types: readonly EventType[];
  readonly attempt: Attempt;
  readonly backOff: BackOff;
  wakeup: PromiseWithResolvers<void>;
}

/** Reads what the webhook may be told now, and disables it without the rights to be told anything. True if nothing has changed. */
async function readTypes(work: Work): Promise<boolean> {
  const { deps, book } = work;
  const types = typesOf(book.claim, await deps.webhooks.readPresentRights(book.claim));
  if (!types.ok) book.disable(types.failure);
  const isSame = types.ok && types.value.join() === work.types.join();
  work.types = types.ok ? types.value : [];
  return isSame;
}

/** New events and retries at the same time, so that neither waits for the other. */
async function deliverAll(work: Work): Promise<void> {
  const { deps, book } = work;
  const { enabled } = book.claim;
  const retries: { current: Promise<void> | null } = { current: null };
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  book.stopping.addEventListener('abort', () => stop(), { once: true });
  try {
    for (let hasMore = false; !book.isOver(); ) {
      if (retries.current === null && book.dueMs !== null && book.dueMs <= deps.now()) {
        retries.current = retryDue(work).finally(() => {
          retries.current = null;
        });
        // Its failure is thrown where it is awaited.
        retries.current.catch(() => {});
      }
      work.wakeup = Promise.withResolvers();
      if (enabled) hasMore = await deliverPage(work);
      if (hasMore || book.isOver()) continue;
      if (retries.current === null) return;
      await Promise.race([retries.current, work.wakeup.promise, stopped]);
    }
  } finally {
    await retries.current;
  }
}

/** Delivers some events one after the other, or several at once while attempts fail. True when there are more. */
async function deliverPage(work: Work): Promise<boolean> {
  const { deps, book, types } = work;
  const { places, range, through, isGone } = await deps.events.find(book.claim.tenant, {
    after: book.cursor,
    types,
    limit: EVENTS_AT_ONCE,
  });
  if (isGone) {
    // They were removed, or an earlier state of the database was restored.
    book.cursor = book.cursor > range.last ? range.last : range.oldest - 1;
    return book.cursor < range.last;
  }
  // Rights may have ended before the latest of these events.
  if (places.length > 0 && !(await readTypes(work))) return true;
  for (let left = places; left.length > 0 && !book.isOver(); ) {
    const piece = takePiece(left);
    if (!(await deliverPiece(work, piece))) return false;
    left = left.slice(piece.length);
  }
  if (!book.isOver()) book.cursor = Math.max(book.cursor, through);
  if (places.length > 0) await book.store();
  return book.cursor < range.last;
}

/** False when the work was stopped. */
async function deliverPiece(work: Work, places: readonly EventPlace[]): Promise<boolean> {
  const { deps, book } = work;
  const { tenant } = book.claim;
  const held = await holdMemory(deps, book, places);
  try {
    const events: StoredEvent[] = [];
    if (!book.isOver()) for await (const event of deps.events.readAt(tenant, places)) events.push(event);
    for (let next = 0; next < events.length && !book.isOver(); ) {
      const some = events.slice(next, next + (book.isFailing() ? PARALLEL_MAX : 1));
      const ended = await inTurn(work, () => deliverAtOnce(work, some));
      if (ended.length < some.length) return false;
      next += some.length;
    }
    return true;
  } finally {
    held.release();
  }
}

/** Ends with the first attempt that was stopped: what follows is delivered again. */
async function deliverAtOnce(work: Work, events: readonly StoredEvent[]): Promise<readonly Attempted[]> {
  const ended: Attempted[] = [];
  for (const attempted of await Promise.all(events.map((event) => deliver(work, event)))) {
    if (attempted === null) break;
    work.book.record(attempted);
    work.book.cursor = attempted.outcome.sequence;
    ended.push(attempted);
  }
  return ended;
}

/**
 * Makes a batch of attempts, and rests after those that failed fast. Receivers that fail take turns within their tenant, rests
 * included: however many of them it has, they cost the other tenants the same.
 */
async function inTurn(
  { deps, book, backOff }: Work,
  attemptBatch: () => Promise<readonly Attempted[]>,
): Promise<readonly Attempted[]> {
  const turn = deps.failing.open(book.claim.tenant, { signal: () => book.stopping });
  if (book.isFailing() && !(await turn.acquire()).ok) return [];
  try {
    const batch = await attemptBatch();
    if (book.isStoreDue()) await book.store();
    const times = batch.map(({ ended }) => ({ ...ended, hasFailed: !isSuccess(ended.answer) }));
    const restMs = backOff.after(times);
    if (restMs > 0 && !book.isOver()) await deps.wait(restMs, book.stopping);
    return batch;
  } finally {
    turn.release();
  }
}

async function deliver({ deps, book, attempt }: Work, event: StoredEvent): Promise<Attempted | null> {
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
  const ended = await attempt(delivery, deps.render.event(book.claim.tenant, event));
  return ended === null
    ? null
    : { outcome: { ...concludeAttempt(delivery, ended), isNew: true }, ended, since: event.time };
}

async function retryDue(work: Work): Promise<void> {
  const { deps, book } = work;
  while (!book.isOver()) {
    book.dueMs = null;
    const due = await deps.webhooks.findDue(book.claim, { nowMs: deps.now(), limit: RETRIES_AT_ONCE });
    if (due.length === 0) return;
    for (let next = 0; next < due.length; next += RETRIES_PARALLEL_MAX) {
      if (book.claim.enabled) await readTypes(work);
      if (book.isOver()) return;
      const some = due.slice(next, next + RETRIES_PARALLEL_MAX);
      await inTurn(work, async () => {
        const ended = await Promise.all(some.map((delivery) => retry(work, delivery)));
        return ended.filter((attempted) => attempted !== null);
      });
    }
    await book.store();
  }
}

async function retry(work: Work, delivery: DueDelivery): Promise<Attempted | null> {
  const { deps, book } = work;
  const places = await findEvent(deps, book.claim, delivery);
  const held = await holdMemory(deps, book, places);
  try {
    return book.isOver() ? null : await retryInMemory(work, delivery, places);
  } finally {
    held.release();
  }
}

async function retryInMemory(
  { deps, book, attempt, types }: Work,
  delivery: DueDelivery,
  places: readonly EventPlace[],
): Promise<Attempted | null> {
  const isReadable = delivery.type === WEBHOOK_TEST_TYPE || types.includes(delivery.type);
  const body = isReadable ? await readBody(deps, book.claim, { ...delivery, places }) : null;
  if (body === null) {
    const error = isReadable ? 'The event is not kept any more.' : 'The webhook may not be told of this any more.';
    const answer = { status: null, retryAfter: null, error };
    const ended = { answer, startedMs: deps.now(), endedMs: deps.now(), random: 0 };
    const failed = { state: 'FAILED', nextMs: null, isNew: false } as const;
    book.recordOutcome({ ...concludeAttempt(delivery, ended), ...failed });
    return null;
  }
  const ended = await attempt(delivery, body);
  if (ended === null) return null;
  const outcome = { ...concludeAttempt(delivery, ended), isNew: false };
  const attempted = { outcome, ended, since: delivery.created };
  book.record(attempted);
  return attempted;
}

/** Holds memory for large events. Small ones wait for none: the number of webhooks at a time bounds them. */
async function holdMemory({ memory }: DeliverDeps, book: Book, places: readonly EventPlace[]): Promise<Slot> {
  const held = memory.open(book.claim.tenant, { signal: () => book.stopping });
  const bytes = sizeOf(places);
  if (bytes > PIECE_BYTES_MAX) await held.acquire(bytes);
  return held;
}

/** The place of the event; none for a test, or when the event is not kept any more. */
async function findEvent(
  { events }: DeliverDeps,
  { tenant }: ClaimedWebhook,
  { sequence, type }: DueDelivery,
): Promise<readonly EventPlace[]> {
  if (type === WEBHOOK_TEST_TYPE) return [];
  const { places } = await events.find(tenant, { after: sequence - 1, types: [type], limit: 1 });
  return places.filter((place) => place.sequence === sequence);
}

/** Null when the event is not kept any more. */
async function readBody(
  { events, render }: DeliverDeps,
  { tenant, webhookId }: ClaimedWebhook,
  delivery: DueDelivery & { readonly places: readonly EventPlace[] },
): Promise<string | null> {
  if (delivery.body !== null) return render.test(tenant, webhookId, delivery);
  for await (const event of events.readAt(tenant, delivery.places)) return render.event(tenant, event);
  return null;
}
