import { ApiError, ConnectionError, TimeoutError } from '../errors.ts';
import type { Runtime } from './runtime.ts';

/** Whether and how often to retry. */
export interface RetryPlan {
  /** Attempts after the first. */
  readonly retries: number;
  /** Whether carrying out the request twice is harmless. */
  readonly repeatable: boolean;
  readonly signal: AbortSignal | undefined;
}

const BACKOFF_BASE_MS = 250;
const BACKOFF_MAX_MS = 8_000;
/** A longer `Retry-After` ends the retries: the call rejects at once. */
const RETRY_AFTER_MAX_MS = 60_000;

/** Statuses after which a retry may succeed although the first attempt may have taken effect. */
const TRANSIENT_STATUSES: readonly number[] = [408, 500, 502, 503, 504];

/**
 * Repeats an attempt until it succeeds, fails permanently, or the retries are used up. `outcomeUnknown` is set for an
 * attempt whose predecessor may have taken effect.
 */
export async function retry<T>(
  { retries, repeatable, signal }: RetryPlan,
  runtime: Pick<Runtime, 'random' | 'sleep'>,
  attempt: (outcomeUnknown: boolean) => Promise<T>,
): Promise<T> {
  let outcomeUnknown = false;
  for (let repeats = 0; ; repeats++) {
    signal?.throwIfAborted();
    try {
      return await attempt(outcomeUnknown);
    } catch (error) {
      if (repeats >= retries) throw error;
      const untouched = hadNoEffect(error);
      if (!untouched && !(repeatable && isTransient(error))) throw error;
      const retryAfterMs = (error instanceof ApiError && error.retryAfterMs) || 0;
      if (retryAfterMs > RETRY_AFTER_MAX_MS) throw error;
      outcomeUnknown ||= !untouched;
      await runtime.sleep(retryAfterMs + backoffMs(repeats, runtime.random), signal);
    }
  }
}

/**
 * Half of a delay that doubles, plus a random part of the other half. All retries together outlast a restart of the service;
 * the random part spreads clients that failed at the same time.
 */
export function backoffMs(repeats: number, random: () => number): number {
  return Math.floor(((1 + random()) / 2) * Math.min(BACKOFF_MAX_MS, BACKOFF_BASE_MS * 2 ** repeats));
}

/**
 * Whether the attempt certainly had no effect: the service says so by 503 with its own error code and `Retry-After`. A 503
 * of a proxy says nothing about what the service did.
 */
function hadNoEffect(error: unknown): boolean {
  if (error instanceof ConnectionError) return error.notSent;
  return (
    error instanceof ApiError && (error.status === 429 || (error.detailCode === '503' && error.retryAfterMs !== null))
  );
}

/** Whether a repeat may succeed. */
export function isTransient(error: unknown): boolean {
  if (error instanceof ApiError) return TRANSIENT_STATUSES.includes(error.status);
  return error instanceof ConnectionError || error instanceof TimeoutError;
}
