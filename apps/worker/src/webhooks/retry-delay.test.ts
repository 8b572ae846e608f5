import { describe, expect, test } from 'vitest';
import { retryDelayMs } from './retry-delay.ts';

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
});
