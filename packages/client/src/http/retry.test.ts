import { expect, test } from 'vitest';
import { backoffMs } from './retry.ts';

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
