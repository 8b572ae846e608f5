import { WEBHOOK_RETRY_DELAYS_MS } from '@access-admin/contract';

const HOUR_MS = 3_600_000;

/** The longest delay that `Retry-After` can ask for. */
const RETRY_AFTER_MS_MAX = 24 * HOUR_MS;
/** Delays are longer by up to this part, so that deliveries that failed together are not repeated together. */
const JITTER = 0.1;

/** A failed attempt. */
export interface FailedAttempt {
  /** How many attempts have failed, this one included. */
  readonly failures: number;
  /** From `Retry-After`; null without one that can be read. */
  readonly retryAfterMs: number | null;
  /** From 0 up to, and without, 1. */
  readonly random: number;
}

/** When a failed delivery is tried again, in milliseconds from now; null when it has failed for good. */
export function retryDelayMs({ failures, retryAfterMs, random }: FailedAttempt): number | null {
  const delayMs = WEBHOOK_RETRY_DELAYS_MS[failures - 1];
  if (delayMs === undefined) return null;
  const asked = Math.min(retryAfterMs ?? 0, RETRY_AFTER_MS_MAX);
  return Math.round(Math.max(delayMs, asked) * (1 + JITTER * random));
}
