import { expect, test } from 'vitest';
import { fromFirstDay, scaleOf } from './chart.ts';

const NONE = { opened: 0, ended: 0, open: 0 };
const dayOf = (day: number, counts: Partial<typeof NONE> = {}) => ({
  date: `2026-11-${String(day).padStart(2, '0')}`,
  ...NONE,
  ...counts,
});
const daysOf = (count: number) => Array.from({ length: count }, (_, at) => dayOf(at + 1));

test('a chart begins with the first day that has a violation', () => {
  const days = [...daysOf(10), dayOf(11, { opened: 3, open: 3 }), ...daysOf(9)];
  expect(fromFirstDay(days)).toEqual(days.slice(10));
});

test('a chart has a week at least, and the last week where nothing has ever been open', () => {
  const days = daysOf(30);
  expect(fromFirstDay([...days.slice(1), dayOf(30, { opened: 1, open: 1 })])).toHaveLength(7);
  expect(fromFirstDay(days)).toEqual(days.slice(23));
  expect(fromFirstDay(days.slice(0, 3))).toHaveLength(3);
});

test('a scale has zero, all that opened and is open above it, and all that ended below it', () => {
  expect(scaleOf([dayOf(1, { opened: 29, open: 29 }), dayOf(2, { ended: 4, open: 25 })])).toEqual({
    marks: [-10, 0, 10, 20, 30],
    top: 30,
    bottom: -10,
  });
  expect(scaleOf(daysOf(2))).toEqual({ marks: [0, 1], top: 1, bottom: -0 });
  expect(scaleOf([dayOf(1, { ended: 8 })]).marks).toEqual([-8, -6, -4, -2, 0, 2]);
});
