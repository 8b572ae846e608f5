import { WEBHOOK_RETRY_DELAYS_MS } from '@access-admin/contract';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

/** The longest delay that `Retry-After` can ask for. */
const RETRY_AFTER_MS_MAX = 24 * HOUR;
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

/** The three forms of a date in RFC 9110. The third, of C's `asctime`, has no zone. */
const HTTP_DATE = /^[A-Z][a-z]+,? [\w -]+ \d\d:\d\d:\d\d( GMT| \d{4})$/;

/** Parses `Retry-After`, in seconds or as a date of HTTP; null when it is neither. */
export function parseRetryAfter(text: string, nowMs: number): number | null {
  if (/^\d+$/.test(text)) return Number(text) * SECOND;
  // `Date.parse` accepts further forms, such as a bare year, and takes one without a zone for local time.
  const atMs = HTTP_DATE.test(text) ? Date.parse(text.endsWith('GMT') ? text : `${text} GMT`) : Number.NaN;
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
}
