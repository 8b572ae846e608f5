import { expect, test } from 'vitest';
import { type Figure, verdictOf } from './report.ts';

test.each<[number, Omit<Figure, 'name' | 'spread'>, string]>([
  [10, {}, ''],
  [10, { goal: 10 }, 'met'],
  [9, { goal: 10 }, 'missed'],
  [9, { goal: 10, atLeast: 8 }, 'enough'],
  [7, { goal: 10, atLeast: 8 }, 'missed'],
  [8, { atLeast: 8 }, 'met'],
  [7, { atLeast: 8 }, 'missed'],
  [10, { goal: 10, less: true }, 'met'],
  [11, { goal: 10, less: true }, 'missed'],
  [11, { goal: 10, atLeast: 12, less: true }, 'enough'],
  [13, { goal: 10, atLeast: 12, less: true }, 'missed'],
])('the verdict on a median of %d with %o is %s', (median, bounds, verdict) => {
  expect(verdictOf({ name: '', spread: { median, min: 0, max: 100 }, ...bounds })).toBe(verdict);
});
