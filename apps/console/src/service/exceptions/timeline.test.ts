import { expect, test } from 'vitest';
import { placeExceptions } from './timeline.ts';

const at = (month: number, day: number) => new Date(2026, month - 1, day);
const iso = (month: number, day: number) => at(month, day).toISOString();
const NOW_MS = at(11, 16).getTime();

test('a calendar has three months at least, from the month of now', () => {
  const { months, now, bars } = placeExceptions([{ start: iso(10, 1), end: iso(12, 1) }], NOW_MS);
  expect(months.map(({ start }) => start)).toEqual([iso(11, 1), iso(12, 1), iso(13, 1)]);
  expect(now).toBeCloseTo(15 / 92, 2);
  expect(bars).toEqual([{ from: 0, to: months[1]?.at }]);
});

test('it ends with the month in which the last exception ends, 14 months from now at most', () => {
  const lengthOf = (month: number, day: number) =>
    placeExceptions([{ start: iso(11, 16), end: iso(month, day) }], NOW_MS).months.length;
  expect([lengthOf(14, 1), lengthOf(14, 2), lengthOf(15, 1), lengthOf(60, 1)]).toEqual([3, 4, 4, 14]);
});
