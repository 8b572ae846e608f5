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
  /** When it became due: the time of the event, or of the first attempt. */
  readonly since: string;
}

/** The delivery of one claimed webhook: what was done, and what of it is not stored yet. */
export interface DeliveryState {
  readonly claim: ClaimedWebhook;
  /** The last event that needs no first attempt. */
  cursor: number;
  leaseEndMs: number;
  /** The earliest known retry; null without one. */
  dueMs: number | null;
  /** True after a failed attempt, until one succeeds. */
  isFailing(): boolean;
  /** True if no attempt may begin: the lease has expired, the worker stops, or the webhook is disabled. */
  isOver(): boolean;
  record(attempted: Attempted): void;
  /** Takes effect with the next `store`. */
  disable(reason: string): void;
  /** Records an outcome that says nothing about the receiver. */
  recordOutcome(outcome: DeliveryOutcome): void;
  /** True if the last `store` was a second ago or longer. */
  isStoreDue(): boolean;
  /** Stores the cursor and new outcomes. With a time, releases the webhook, to be claimed from then on. */
  store(releasedAtMs?: number): Promise<void>;
  /** Aborts attempts in flight and begins no more. Finished ones can still be stored. */
  stop(): void;
  /** For a lost claim: stops, and stores nothing more. */
  abandon(): void;
  /** Aborted by `stop` and `abandon`. */
  readonly stopping: AbortSignal;
}

const OUTCOMES = { SUCCEEDED: 'success', PENDING: 'retry', FAILED: 'error' } as const;

const GONE_REASON = 'The receiver answered 410.';
const FAILING_REASON = `All attempts of ${FAILING_DAYS_MAX} days have failed.`;
const STORE_EVERY_MS = 1_000;
/** Makes the first pass look for retries that are due. */
const AT_ONCE = Number.NEGATIVE_INFINITY;

export interface DeliveryStateDeps {
  readonly webhooks: Pick<WebhookQueue, 'settle'>;
  now(): number;
  onJobEnd(job: EndedJob): void;
}

export function createDeliveryState(
  { webhooks, now, onJobEnd }: DeliveryStateDeps,
  claim: ClaimedWebhook,
  leaseEndMs: number,
): DeliveryState {
  let health: Health = { failingSinceMs: claim.failingSinceMs, failures: claim.failures, isDisabled: false };
  let outcomes: DeliveryOutcome[] = [];
  let isAbandoned = false;
  let isReported = false;
  let reason = '';
  let storedMs = now();
  let stored: Promise<void> = Promise.resolve();
  const stopping = new AbortController();

  const settle = async (releasedAtMs: number | null) => {
    if (isAbandoned) return;
    storedMs = now();
    const recordedOutcomes = outcomes;
    outcomes = [];
    const disabled = health.isDisabled && !isReported ? { time: new Date(now()).toISOString(), reason } : null;
    isReported = health.isDisabled;
    const { failingSinceMs, failures } = health;
    const { cursor } = state;
    const recorded = { outcomes: recordedOutcomes, cursor, failingSinceMs, failures, disabled, releasedAtMs };
    if (!(await webhooks.settle(claim, recorded))) state.abandon();
  };

  const state: DeliveryState = {
    claim,
    cursor: claim.cursor,
    leaseEndMs,
    dueMs: AT_ONCE,
    isFailing: () => health.failingSinceMs !== null,
    isOver: () => stopping.signal.aborted || health.isDisabled || now() >= state.leaseEndMs,
    record: ({ outcome, ended, since }) => {
      state.recordOutcome(outcome);
      const { id: deliveryId, eventId, failures, state: outcomeState } = outcome;
      onJobEnd({
        kind: 'delivery',
        tenant: claim.tenant,
        ids: { webhookId: claim.webhookId, deliveryId, eventId },
        startedMs: ended.startedMs,
        waitedMs: waitedMs(since, ended.startedMs),
        workedMs: Math.max(0, ended.endedMs - ended.startedMs),
        attempt: outcomeState === 'SUCCEEDED' ? failures + 1 : failures,
        outcome: OUTCOMES[outcomeState],
        traceparent: null,
      });
      if (outcome.type !== WEBHOOK_TEST_TYPE) health = healthAfter(health, ended);
      if (health.isDisabled) reason ||= ended.answer.status === 410 ? GONE_REASON : FAILING_REASON;
      if (outcome.nextMs !== null) state.dueMs = Math.min(state.dueMs ?? outcome.nextMs, outcome.nextMs);
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
  return state;
}
