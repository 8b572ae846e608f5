import { expect, test } from 'vitest';
import { parseRetryAfter } from './retry-after.ts';

const NOW = Date.UTC(2026, 10, 21, 9, 30);

test.each([
  ['0', 0],
  ['120', 120_000],
  ['9999999999', 9_999_999_999_000],
  // The three forms of a date in RFC 9110: recipients accept each.
  ['Sat, 21 Nov 2026 09:31:00 GMT', 60_000],
  ['Saturday, 21-Nov-26 09:31:00 GMT', 60_000],
  ['Sat Nov 21 09:31:00 2026', 60_000],
  ['Tue Dec  1 09:30:00 2026', 864_000_000],
  ['Sun, 22 Nov 2026 09:30:00 GMT', 86_400_000],
  ['Sat, 21 Nov 2026 09:29:00 GMT', 0],
  ['', null],
  ['soon', null],
  ['1.5', null],
  ['-1', null],
  ['+1', null],
  ['1e3', null],
  ['5 s', null],
  ['Sat', null],
  ['Sat Nov 21 2026', null],
  ['2026-11-21T09:31:00Z', null],
  ['Sat, 21 Nov 2026 09:31:00', null],
  ['Sat, 21 Nov 2026 09:31:00 +0100', null],
  ['Sat, 99 Nov 2026 09:31:00 GMT', null],
])('Retry-After %j is %j ms', (text, ms) => {
  expect(parseRetryAfter(text, NOW)).toBe(ms);
});
