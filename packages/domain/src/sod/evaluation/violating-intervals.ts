import type { Interval } from '../../access/model/interval.ts';
import { violatedIntervals } from './is-violated.ts';
import { instantsOf, intervalsOf } from './question.ts';
import { addBits, bitsOfRanges, firstCommon, type IntervalBits, isOn, noIntervals } from './timeline.ts';

/** The items of a policy by their places, and when they are held or requested. */
export interface ItemsOverTime {
  /** For each item, a bit for each side that it is on. */
  readonly sidesOf: readonly number[];
  readonly sideCount: number;
  /** The number of sides of a violation. */
  readonly atLeast: number;
  readonly grants: readonly Grant[];
}

/** Items that come and go together. */
export interface Grant {
  /** Places, each once. */
  readonly items: readonly number[];
  readonly intervals: readonly Interval[];
}

/** When a policy is violated, and by what. */
export interface ViolationOverTime {
  /**
   * Ascending. Each begins and ends where an item of the policy comes or goes, so the same items are there throughout; the
   * last one may have no end.
   */
  readonly intervals: readonly Interval[];
  /** By place: 1 for an item that is there in any of the intervals. */
  readonly shown: Uint8Array;
}

/** Finds the intervals from `nowMs` (since 1970) on in which items of enough sides are there together. */
export function sweepViolations(
  { sidesOf, sideCount, atLeast, grants }: ItemsOverTime,
  nowMs: number,
): ViolationOverTime {
  const windows = grants.flatMap(({ intervals }) => intervals);
  const starts = instantsOf(windows, { nowMs });
  const count = starts.length;
  const items = sidesOf.map(() => noIntervals(count));
  for (const { items: granted, intervals } of grants) {
    const bits = bitsOfRanges(
      intervals.map((interval) => intervalsOf(starts, interval)),
      count,
    );
    for (const item of granted) addBits(items[item] ?? bits, bits);
  }
  const sides = Array.from({ length: sideCount }, (_, side) =>
    items
      .filter((_bits, item) => (((sidesOf[item] ?? 0) >>> side) & 1) === 1)
      .map((bits) => ({ held: bits, any: bits })),
  );
  const violated = violatedIntervals({ sides, atLeast, intervals: count }, ({ any }) => any);
  if (violated === null) return { intervals: [], shown: new Uint8Array(items.length) };
  return {
    intervals: intervalsBetweenChanges(violated, items, starts),
    shown: Uint8Array.from(items, (bits) => (firstCommon(bits, violated) < 0 ? 0 : 1)),
  };
}

/** The violated intervals; successive ones with the same items are one. */
function intervalsBetweenChanges(
  violated: IntervalBits,
  items: readonly IntervalBits[],
  starts: ArrayLike<number>,
): readonly Interval[] {
  const intervals: Interval[] = [];
  let sinceMs: number | null = null;
  for (let interval = 0; interval < starts.length; interval++) {
    const ms = starts[interval] ?? 0;
    const isNow = isOn(violated, interval);
    if (sinceMs !== null && isNow && !items.some((bits) => isOn(bits, interval) !== isOn(bits, interval - 1))) continue;
    if (sinceMs !== null) intervals.push({ startMs: sinceMs, endMs: ms });
    sinceMs = isNow ? ms : null;
  }
  if (sinceMs !== null) intervals.push({ startMs: sinceMs, endMs: Number.POSITIVE_INFINITY });
  return intervals;
}

/** The items of a policy by side, and how many sides make a violation. */
export interface SidesOfItems<T> {
  readonly sides: readonly (readonly T[])[];
  readonly atLeast: number;
}

/** When a policy is violated, and the items that take part. */
export interface ItemsOfViolation<T> {
  /** As those of a `ViolationOverTime`. */
  readonly intervals: readonly Interval[];
  readonly items: readonly T[];
}

/** Finds when access violates a policy from `fromMs` (since 1970) on. Items that are on no side count for nothing. */
export function sweepSides<T>(
  { sides, atLeast }: SidesOfItems<T>,
  access: Iterable<{ readonly items: Iterable<T>; readonly intervals: readonly Interval[] }>,
  fromMs: number,
): ItemsOfViolation<T> {
  const { places, sidesOf } = placeItems(sides);
  const grants: Grant[] = [];
  for (const { items: given, intervals } of access) {
    const items = new Set<number>();
    for (const item of given) {
      const place = places.get(item);
      if (place !== undefined) items.add(place);
    }
    if (items.size > 0) grants.push({ items: [...items], intervals });
  }
  const { intervals, shown } = sweepViolations({ sidesOf, sideCount: sides.length, atLeast, grants }, fromMs);
  return { intervals, items: [...places].flatMap(([item, place]) => (shown[place] === 1 ? [item] : [])) };
}

/** The places of the items of a policy: by side, from 0 on. */
export interface ItemPlaces<T> {
  readonly places: ReadonlyMap<T, number>;
  /** For each place, a bit for each side. */
  readonly sidesOf: readonly number[];
}

/** Numbers the items of all sides. */
export function placeItems<T>(sides: readonly (readonly T[])[]): ItemPlaces<T> {
  const places = new Map<T, number>();
  const sidesOf: number[] = [];
  for (const [side, items] of sides.entries())
    for (const item of items) {
      const place = places.get(item) ?? places.size;
      places.set(item, place);
      sidesOf[place] = (sidesOf[place] ?? 0) | (1 << side);
    }
  return { places, sidesOf };
}
