import { describe, expect, test } from 'vitest';
import { parseRetryAfter, retryDelayMs } from './retry-delay.ts';

const NOW = Date.parse('2026-11-21T09:30:00.000Z');
const delay = (failures: number, given: { readonly retryAfterMs?: number; readonly random?: number } = {}) =>
  retryDelayMs({ failures, retryAfterMs: null, random: 0, ...given });

describe('retries of deliveries', () => {
  test('follow after 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 h, and then no more', () => {
    const seconds = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((failures) => Number(delay(failures)) / 1000);
    expect(seconds).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]);
    expect(delay(10)).toBeNull();
  });

  test('are later by up to a tenth', () => {
    expect(delay(1, { random: 0.5 })).toBe(5_250);
    expect(delay(9, { random: 0.999 })).toBeLessThan(86_400_000 * 1.1);
  });

  test('honour Retry-After where it is later, up to a day', () => {
    expect(delay(1, { retryAfterMs: 60_000 })).toBe(60_000);
    expect(delay(2, { retryAfterMs: 60_000 })).toBe(300_000);
    expect(delay(1, { retryAfterMs: 1e12 })).toBe(86_400_000);
    expect(delay(10, { retryAfterMs: 60_000 })).toBeNull();
  });

  test.each([
    ['120', 120_000],
    ['9999999999', 9_999_999_999_000],
    // The three forms of a date in RFC 9110, of which a receiver may send each.
    ['Sat, 21 Nov 2026 09:31:00 GMT', 60_000],
    ['Saturday, 21-Nov-26 09:31:00 GMT', 60_000],
    ['Sat Nov 21 09:31:00 2026', 60_000],
    ['Tue Dec  1 09:30:00 2026', 864_000_000],
    ['Sat, 21 Nov 2026 09:29:00 GMT', 0],
    ['', null],
    ['-1', null],
    ['1.5', null],
    ['1e3', null],
    ['soon', null],
    ['2026-11-21T09:31:00Z', null],
    ['Sat, 21 Nov 2026 09:31:00', null],
    ['Sat, 21 Nov 2026 09:31:00 +0100', null],
    ['Sat, 99 Nov 2026 09:31:00 GMT', null],
  ])('Retry-After %j is %j ms', (text, ms) => {
    expect(parseRetryAfter(text, NOW)).toBe(ms);
  });
});
