const SECOND_MS = 1_000;

/** The three forms of a date in RFC 9110. The third, of C's `asctime`, has no zone: it is in GMT. */
const HTTP_DATE = /^[A-Z][a-z]+,? [\w -]+ \d\d:\d\d:\d\d( GMT| \d{4})$/;

/** Parses the value of `Retry-After`, seconds or a date, to milliseconds from now on; null for anything else. */
export function parseRetryAfter(text: string, nowMs: number): number | null {
  if (/^\d+$/.test(text)) return Number(text) * SECOND_MS;
  // `Date.parse` accepts further forms, such as a bare year, and takes one without a zone for local time.
  const atMs = HTTP_DATE.test(text) ? Date.parse(text.endsWith('GMT') ? text : `${text} GMT`) : Number.NaN;
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
}
