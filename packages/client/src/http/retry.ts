import { ApiError, ConnectionError, TimeoutError } from '../errors.ts';
import type { Runtime } from './runtime.ts';

/** How often and when to try again. */
export interface RetryPlan {
  /** Tries after the first. */
  readonly retries: number;
  /** Whether the request does no harm when it is carried out twice. */
  readonly repeatable: boolean;
  readonly signal: AbortSignal | undefined;
}

const BACKOFF_BASE_MS = 250;
const BACKOFF_MAX_MS = 8_000;
/** Who is asked to wait longer is told so at once instead. */
const RETRY_AFTER_MAX_MS = 60_000;

/** Answers after which a later try may do better, but the first may have had its effect. */
const PASSING_STATUSES: readonly number[] = [408, 500, 502, 503, 504];

/**
 * Tries until it works, the failure is not worth a repeat, or the retries are used up. An attempt is told whether an
 * earlier one may have had its effect.
 */
export async function withRetries<T>(
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
      if (!untouched && !(repeatable && mayPass(error))) throw error;
      const retryAfterMs = (error instanceof ApiError && error.retryAfterMs) || 0;
      if (retryAfterMs > RETRY_AFTER_MAX_MS) throw error;
      outcomeUnknown ||= !untouched;
      await runtime.sleep(retryAfterMs + backoffMs(repeats, runtime.random), signal);
    }
  }
}

/**
 * Half of a time that doubles, and a random part of the other half: all retries together outlast a restart of the service,
 * and clients which failed together do not return together.
 */
export function backoffMs(repeats: number, random: () => number): number {
  return Math.floor(((1 + random()) / 2) * Math.min(BACKOFF_MAX_MS, BACKOFF_BASE_MS * 2 ** repeats));
}

/** Reads `Retry-After`: whole seconds or an HTTP date. Null when it is missing or neither. */
export function parseRetryAfter(header: string | null, now: number): number | null {
  if (header === null) return null;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}

/** Whether the service certainly did nothing. A 503 says so by naming a time; without one it may be a proxy's. */
function hadNoEffect(error: unknown): boolean {
  if (error instanceof ConnectionError) return error.notSent;
  return error instanceof ApiError && (error.status === 429 || (error.status === 503 && error.retryAfterMs !== null));
}

function mayPass(error: unknown): boolean {
  if (error instanceof ApiError) return PASSING_STATUSES.includes(error.status);
  return error instanceof ConnectionError || error instanceof TimeoutError;
}
