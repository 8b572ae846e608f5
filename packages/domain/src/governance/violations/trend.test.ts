import { expect, test } from 'vitest';
import { trendUntil } from './trend.ts';

test('a trend has each day up to now, and days without changes keep what was open', () => {
  const changed = [
    { date: '2024-02-29', opened: 3, ended: 1 },
    // Written by a clock that was ahead.
    { date: '2024-03-02', opened: 1, ended: 0 },
  ];
  expect(trendUntil('2024-03-01T23:59:59.999Z', { days: 3, changed, open: 7 })).toEqual([
    { date: '2024-02-28', opened: 0, ended: 0, open: 4 },
    { date: '2024-02-29', opened: 3, ended: 1, open: 6 },
    { date: '2024-03-01', opened: 0, ended: 0, open: 6 },
  ]);
});
