const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The delays after the first failed attempt, the second and so on, in milliseconds. */
export const WEBHOOK_RETRY_DELAYS_MS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const;

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

const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;
// Two older forms that RFC 9110 has every recipient accept. The latter has no zone.
const RFC_850_DATE = /^[A-Z][a-z]+day, \d{2}-[A-Z][a-z]{2}-\d{2} \d\d:\d\d:\d\d GMT$/;
const ASCTIME_DATE = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/;

/** Parses `Retry-After`, in seconds or as a date of HTTP; null when it is neither. */
export function parseRetryAfter(text: string, nowMs: number): number | null {
  if (/^\d+$/.test(text)) return Number(text) * SECOND;
  // `Date.parse` accepts further forms, such as a bare year, and takes one without a zone for local time.
  const isDate = HTTP_DATE.test(text) || RFC_850_DATE.test(text);
  const atMs = Date.parse(isDate ? text : ASCTIME_DATE.test(text) ? `${text} GMT` : '');
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
}
