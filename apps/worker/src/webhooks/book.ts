import { WEBHOOK_TEST_TYPE } from '@access-admin/domain';
import type { ClaimedWebhook, DeliveryOutcome, WebhookQueue } from '@access-admin/store';
import type { EndedJob } from '@access-admin/telemetry';
import { waitedMs } from '../leased/waited.ts';
import { type EndedAttempt, type Health, healthAfter } from './conclude.ts';
import { FAILING_DAYS_MAX } from './limits.ts';

/** An attempt with its outcome. */
export interface Attempted {
  readonly outcome: DeliveryOutcome;
  readonly ended: EndedAttempt;
  /** Since when it could be made: the time of the event, or of the first attempt. */
  readonly since: string;
}

/** What a worker has done for a claimed webhook, and what of it is stored. */
export interface Book {
  readonly claim: ClaimedWebhook;
  /** The last event that needs no attempt any more. */
  cursor: number;
  leaseEndMs: number;
  /** The earliest next attempt that is known of; null without one. */
  dueMs: number | null;
  /** Whether the last attempt failed. */
  isFailing(): boolean;
  /** Whether no attempt may begin: the lease has ended, the worker stops, or the webhook is disabled. */
  isOver(): boolean;
  record(attempted: Attempted): void;
  /** Disables the webhook, once this is stored. */
  disable(reason: string): void;
  /** Records an outcome that says nothing about the receiver. */
  recordOutcome(outcome: DeliveryOutcome): void;
  /** Whether nothing was stored for a second. */
  isStoreDue(): boolean;
  /** Stores what was recorded since, and the cursor; releases the webhook if a time is given, to be claimed from then on. */
  store(releasedAtMs?: number): Promise<void>;
  /** Ends attempts under way and begins no more. What has ended can still be stored. */
  stop(): void;
  /** The same after the claim was lost: nothing is stored any more. */
  abandon(): void;
  /** Aborted by both. */
  readonly stopping: AbortSignal;
}

const OUTCOMES = { SUCCEEDED: 'success', PENDING: 'retry', FAILED: 'error' } as const;

const GONE_REASON = 'The receiver answered 410.';
const FAILING_REASON = `All attempts of ${FAILING_DAYS_MAX} days have failed.`;
const STORE_EVERY_MS = 1_000;
/** The first look at a webhook finds out whether deliveries are due. */
const AT_ONCE = Number.NEGATIVE_INFINITY;

export interface BookDeps {
  readonly webhooks: Pick<WebhookQueue, 'settle'>;
  now(): number;
  onJobEnd(job: EndedJob): void;
}

export function createBook({ webhooks, now, onJobEnd }: BookDeps, claim: ClaimedWebhook, leaseEndMs: number): Book {
  let health: Health = { failingSinceMs: claim.failingSinceMs, failures: claim.failures, isDisabled: false };
  let outcomes: DeliveryOutcome[] = [];
  let isAbandoned = false;
  let isTold = false;
  let reason = '';
  let storedMs = now();
  let stored: Promise<void> = Promise.resolve();
  const stopping = new AbortController();

  const settle = async (releasedAtMs: number | null) => {
    if (isAbandoned) return;
    storedMs = now();
    const some = outcomes;
    outcomes = [];
    const disabled = health.isDisabled && !isTold ? { time: new Date(now()).toISOString(), reason } : null;
    isTold = health.isDisabled;
    const { failingSinceMs } = health;
    const state = { cursor: book.cursor, failingSinceMs, disabled, releasedAtMs };
    if (!(await webhooks.settle(claim, { outcomes: some, ...state }))) book.abandon();
  };

  const book: Book = {
    claim,
    cursor: claim.cursor,
    leaseEndMs,
    dueMs: AT_ONCE,
    isFailing: () => health.failingSinceMs !== null,
    isOver: () => stopping.signal.aborted || health.isDisabled || now() >= book.leaseEndMs,
    record: ({ outcome, ended, since }) => {
      book.recordOutcome(outcome);
      const { id: deliveryId, eventId, failures, state } = outcome;
      onJobEnd({
        kind: 'delivery',
        tenant: claim.tenant,
        ids: { webhookId: claim.webhookId, deliveryId, eventId },
        startedMs: ended.startedMs,
        waitedMs: waitedMs(since, ended.startedMs),
        workedMs: Math.max(0, ended.endedMs - ended.startedMs),
        attempt: state === 'SUCCEEDED' ? failures + 1 : failures,
        outcome: OUTCOMES[state],
        traceparent: null,
      });
      if (outcome.type !== WEBHOOK_TEST_TYPE) health = healthAfter(health, ended);
      if (health.isDisabled) reason ||= ended.answer.status === 410 ? GONE_REASON : FAILING_REASON;
      if (outcome.nextMs !== null) book.dueMs = Math.min(book.dueMs ?? outcome.nextMs, outcome.nextMs);
    },
    disable: (why) => {
      reason ||= why;
      health = { ...health, isDisabled: true };
    },
    recordOutcome: (outcome) => void outcomes.push(outcome),
    isStoreDue: () => Math.abs(now() - storedMs) >= STORE_EVERY_MS,
    store: (releasedAtMs) => {
      stored = stored.then(() => settle(releasedAtMs ?? null));
      return stored;
    },
    stop: () => stopping.abort(),
    abandon: () => {
      isAbandoned = true;
      stopping.abort();
    },
    stopping: stopping.signal,
  };
  return book;
}
