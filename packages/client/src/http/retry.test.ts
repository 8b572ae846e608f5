import { describe, expect, test } from 'vitest';
import { backoffMs, parseRetryAfter } from './retry.ts';

const NOW = Date.UTC(2026, 10, 21, 9, 30);

test.each([
  { repeats: 0, most: 250 },
  { repeats: 1, most: 500 },
  { repeats: 2, most: 1_000 },
  { repeats: 5, most: 8_000 },
  { repeats: 50, most: 8_000 },
  { repeats: 5_000, most: 8_000 },
])('the delay after $repeats retries is at least half of $most ms and below it', ({ repeats, most }) => {
  expect(backoffMs(repeats, () => 0)).toBe(most / 2);
  expect(backoffMs(repeats, () => 0.5)).toBe(Math.floor(most * 0.75));
  expect(backoffMs(repeats, () => 1 - Number.EPSILON)).toBe(most - 1);
});

describe('Retry-After', () => {
  test.each([
    [null, null],
    ['', null],
    ['soon', null],
    ['1.5', null],
    ['-1', null],
    ['1e3', null],
    ['+1', null],
    ['5 s', null],
    ['2026-11-21T09:30:05Z', null],
    ['Sat', null],
    ['Sat Nov 21 2026', null],
    ['0', 0],
    ['120', 120_000],
    ['Sat, 21 Nov 2026 09:30:05 GMT', 5_000],
    ['Saturday, 21-Nov-26 09:30:05 GMT', 5_000],
    ['Sat Nov 21 09:30:05 2026', null],
    ['Sat, 21 Nov 2026 09:30:05', null],
    ['Sun, 22 Nov 2026 09:30:00 GMT', 86_400_000],
    ['Sat, 21 Nov 2026 09:29:00 GMT', 0],
  ])('%j is %j ms', (header, ms) => {
    expect(parseRetryAfter(header, NOW)).toBe(ms);
  });
});
