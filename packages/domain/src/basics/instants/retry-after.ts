/** A date with a time in one of the three forms of RFC 9110. The third, of C's `asctime`, has no zone: it is in GMT. */
const HTTP_DATE = /^[A-Z].*:\d\d (GMT|\d{4})$/;

/** Parses the value of `Retry-After`, seconds or a date, to milliseconds from now on; null for anything else. */
export function parseRetryAfter(text: string, nowMs: number): number | null {
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  // `Date.parse` accepts further forms, such as a bare year, and takes one without a zone for local time.
  if (!HTTP_DATE.test(text)) return null;
  const ms = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`) - nowMs;
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}
