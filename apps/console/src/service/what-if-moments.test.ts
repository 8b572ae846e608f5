import { expect, test } from 'vitest';
import { joinMoments, partsOf } from './what-if-moments.ts';

const NOW = Date.parse('2027-01-01T00:00:00.000Z');
const day = (of: number) => `2027-01-${String(of).padStart(2, '0')}T00:00:00.000Z`;

test('a period is cut where held access begins or ends within it', () => {
  const held = [{ start: day(5), end: day(10) }, { start: null, end: day(5) }, { start: day(20) }, {}];
  expect(partsOf({ start: day(3), end: day(15) }, held, NOW)).toEqual([
    { start: day(3), end: day(5) },
    { start: day(5), end: day(10) },
    { start: day(10), end: day(15) },
  ]);
});

test('a period without a start begins now, and one without an end has none', () => {
  expect(partsOf({}, [{ start: day(2) }], NOW)).toEqual([
    { start: day(1), end: day(2) },
    { start: day(2), end: null },
  ]);
  expect(partsOf({ end: day(1) }, [], NOW)).toEqual([]);
});

test('parts that violate the same policies are one', () => {
  const of = (from: number, to: number, ...ids: string[]) => ({
    start: day(from),
    end: day(to),
    policies: ids.map((id) => ({ id, name: id })),
  });
  expect(joinMoments([of(1, 2, 'a'), of(2, 3, 'a'), of(3, 4), of(4, 5, 'a')])).toEqual([
    of(1, 3, 'a'),
    of(3, 4),
    of(4, 5, 'a'),
  ]);
});
