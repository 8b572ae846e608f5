import { type DeliveryAttempt, parseRetryAfter, WEBHOOK_FAILURES_MIN, WEBHOOK_TEST_TYPE } from '@access-admin/domain';
import type { DeliveryOutcome, DueDelivery } from '@access-admin/store';
import { ATTEMPTS_SHOWN_MAX, FAILING_DAYS_MAX } from './limits.ts';
import { retryDelayMs } from './retry-delay.ts';
import type { Answer } from './send.ts';

/** An attempt that has ended. */
export interface EndedAttempt {
  readonly answer: Answer;
  readonly startedMs: number;
  readonly endedMs: number;
  /** From 0 up to, and without, 1. */
  readonly random: number;
}

const GONE = 410;
const FAILING_MS_MAX = FAILING_DAYS_MAX * 24 * 3_600_000;

export const isSuccess = ({ status }: Pick<Answer, 'status'>): boolean =>
  status !== null && status >= 200 && status < 300;

/** The delivery after an attempt. A test is tried once. */
export function concludeAttempt(
  delivery: DueDelivery,
  { answer, startedMs, endedMs, random }: EndedAttempt,
): DeliveryOutcome {
  const { status, error } = answer;
  const attempt: DeliveryAttempt = {
    time: new Date(startedMs).toISOString(),
    status,
    duration: Math.max(0, Math.round(endedMs - startedMs)),
    error,
  };
  const attempts = [...delivery.attempts, attempt].slice(-ATTEMPTS_SHOWN_MAX);
  if (isSuccess(answer)) return { ...delivery, attempts, state: 'SUCCEEDED', nextMs: null };
  const failures = delivery.failures + 1;
  const isLast = status === GONE || delivery.type === WEBHOOK_TEST_TYPE;
  const retryAfterMs = parseRetryAfter(answer.retryAfter ?? '', endedMs);
  const delayMs = isLast ? null : retryDelayMs({ failures, retryAfterMs, random });
  const nextMs = delayMs === null ? null : endedMs + delayMs;
  return { ...delivery, failures, attempts, state: nextMs === null ? 'FAILED' : 'PENDING', nextMs };
}

/** Since when all attempts of a webhook have failed, and whether it is to be disabled. */
export interface Health {
  /** Null after a success. */
  readonly failingSinceMs: number | null;
  /** How many attempts have failed since then. */
  readonly failures: number;
  readonly isDisabled: boolean;
}

/** The health of a webhook after an attempt of an event. */
export function healthAfter(
  { failingSinceMs, failures, isDisabled }: Health,
  { answer, startedMs, endedMs }: Omit<EndedAttempt, 'random'>,
): Health {
  if (isSuccess(answer)) return { failingSinceMs: null, failures: 0, isDisabled };
  const since = failingSinceMs ?? startedMs;
  const isFailingLong = endedMs - since >= FAILING_MS_MAX && failures + 1 >= WEBHOOK_FAILURES_MIN;
  return {
    failingSinceMs: since,
    failures: failures + 1,
    isDisabled: isDisabled || answer.status === GONE || isFailingLong,
  };
}
