import { coverage } from '@access-admin/test-depth';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Interval } from '../../access/model/interval.ts';
import { sweepSides } from './sweep-sides.ts';

/** The items of a policy by number, with a bit for each side that each is on, and when they are there. */
interface ItemsOverTime {
  readonly sidesOf: readonly number[];
  readonly atLeast: number;
  readonly grants: readonly { readonly items: readonly number[]; readonly intervals: readonly Interval[] }[];
}

const FOREVER = Number.POSITIVE_INFINITY;
const END_MS = 15;

/** The items that are there at an instant, by the definition of an interval. */
const itemsAt = ({ grants }: ItemsOverTime, ms: number): readonly number[] => {
  const held = grants.filter(({ intervals }) => intervals.some(({ startMs, endMs }) => startMs <= ms && ms < endMs));
  return [...new Set(held.flatMap(({ items }) => items))].sort((left, right) => left - right);
};

/** The answer from the items at each millisecond. */
function sweepByOracle(given: ItemsOverTime, nowMs: number) {
  const isViolating = (items: readonly number[]) => {
    const sides = new Set(items.flatMap((item) => sidesOfMask(given.sidesOf[item] ?? 0)));
    return sides.size >= given.atLeast;
  };
  const intervals: Interval[] = [];
  const shown = new Set<number>();
  for (let ms = nowMs; ms <= END_MS; ) {
    const items = itemsAt(given, ms);
    let end = ms + 1;
    while (end <= END_MS && String(itemsAt(given, end)) === String(items)) end += 1;
    if (isViolating(items)) {
      intervals.push({ startMs: ms, endMs: end > END_MS ? FOREVER : end });
      for (const item of items) shown.add(item);
    }
    ms = end;
  }
  return { intervals, shown: [...shown].sort((left, right) => left - right) };
}

const sidesOfMask = (mask: number) => [0, 1, 2, 3].filter((side) => ((mask >> side) & 1) === 1);

const interval = fc
  .tuple(fc.integer({ min: -2, max: 9 }), fc.option(fc.integer({ min: 0, max: 5 }), { nil: null }))
  .map(([startMs, length]) => ({ startMs, endMs: length === null ? FOREVER : startMs + length }));

const given = fc.record({
  sidesOf: fc.array(fc.integer({ min: 1, max: 0b111 }), { minLength: 6, maxLength: 6 }),
  atLeast: fc.integer({ min: 1, max: 3 }),
  grants: fc.array(
    fc.record({
      items: fc.uniqueArray(fc.integer({ min: 0, max: 5 }), { maxLength: 3 }),
      intervals: fc.array(interval, { maxLength: 4 }),
    }),
    { maxLength: 6 },
  ),
});

test('the intervals and items of a violation are those of its instants', () => {
  let violated = 0;
  fc.assert(
    fc.property(given, fc.integer({ min: 0, max: 6 }), (items, nowMs) => {
      const { sidesOf, atLeast, grants } = items;
      const sides = [0, 1, 2].map((side) =>
        [...sidesOf.keys()].filter((item) => sidesOfMask(sidesOf[item] ?? 0).includes(side)),
      );
      const { intervals, items: shown } = sweepSides({ sides, atLeast }, grants, nowMs);
      expect({ intervals, shown: shown.toSorted((a, b) => a - b) }).toEqual(sweepByOracle(items, nowMs));
      violated += intervals.length;
    }),
    { numRuns: 3_000 },
  );
  expect(violated).toBeGreaterThan(coverage(500));
});

test('many windows of many items are looked at once for each item', () => {
  const windows = 2_000;
  const intervals = Array.from({ length: windows }, (_, at) => ({ startMs: 2 * at, endMs: 2 * at + 1 }));
  let looks = 0;
  const items = {
    length: 100,
    *[Symbol.iterator]() {
      for (let item = 0; item < 100; item++, looks++) yield item;
    },
  } as unknown as readonly number[];
  const grants = [
    { items, intervals },
    { items: [100], intervals: [{ startMs: 0, endMs: FOREVER }] },
  ];
  const sides = [Array.from({ length: 100 }, (_, item) => item), [100]];
  const found = sweepSides({ sides, atLeast: 2 }, grants, 0);
  expect(found.intervals).toHaveLength(windows);
  expect(found.items).toHaveLength(101);
  expect(looks).toBe(100);
});
