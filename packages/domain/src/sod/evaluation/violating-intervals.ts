import type { Interval } from '../../access/model/interval.ts';
import { isViolated } from './is-violated.ts';

/** The items of a policy by their places, and when they are held or requested. */
export interface ItemsOverTime {
  /** For each item, a bit for each side that it is on. */
  readonly sidesOf: ArrayLike<number>;
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

/**
 * Finds the intervals from `nowMs` (since 1970) on in which items of enough sides are there together. One pass over the
 * beginnings and ends of all grants: it takes time in proportion to these and their items.
 */
export function sweepViolations(
  { sidesOf, sideCount, atLeast, grants }: ItemsOverTime,
  nowMs: number,
): ViolationOverTime {
  const changes = changesOf(grants, nowMs);
  const present = createPresence(sidesOf, sideCount);
  const rule = { sideCount, atLeast };
  const shown = new Uint8Array(sidesOf.length);
  const intervals: Interval[] = [];
  let sinceMs: number | null = null;
  for (let at = 0; at < changes.length; ) {
    const ms = changes[at]?.ms ?? 0;
    const appeared: number[] = [];
    let isChange = false;
    for (let change = changes[at]; change?.ms === ms; change = changes[++at])
      if (present.apply(change, appeared)) isChange = true;
    if (!isChange) continue;
    if (sinceMs !== null) intervals.push({ startMs: sinceMs, endMs: ms });
    const isNow = isViolated(rule, present.isOn);
    if (isNow) for (const item of sinceMs === null ? present.items() : appeared) shown[item] = 1;
    sinceMs = isNow ? ms : null;
  }
  if (sinceMs !== null) intervals.push({ startMs: sinceMs, endMs: Number.POSITIVE_INFINITY });
  return { intervals, shown };
}

/** A grant begins (1) or ends (-1). */
interface GrantChange {
  readonly ms: number;
  readonly items: readonly number[];
  readonly by: 1 | -1;
}

/** In order. At one instant beginnings come first: an item that is there before and after it neither comes nor goes. */
function changesOf(grants: readonly Grant[], nowMs: number): readonly GrantChange[] {
  const changes: GrantChange[] = [];
  for (const { items, intervals } of grants) {
    for (const { startMs, endMs } of intervals) {
      const ms = Math.max(startMs, nowMs);
      if (ms >= endMs) continue;
      changes.push({ ms, items, by: 1 });
      if (endMs < Number.POSITIVE_INFINITY) changes.push({ ms: endMs, items, by: -1 });
    }
  }
  return changes.sort((left, right) => left.ms - right.ms || right.by - left.by);
}

/** How many grants of each item, and how many items of each side, are there. */
function createPresence(sidesOf: ArrayLike<number>, sideCount: number) {
  const ofItem = new Uint32Array(sidesOf.length);
  const ofSide = new Int32Array(sideCount);
  const count = (item: number, by: number) => {
    for (let sides = sidesOf[item] ?? 0; sides !== 0; sides &= sides - 1) {
      const side = 31 - Math.clz32(sides & -sides);
      ofSide[side] = (ofSide[side] ?? 0) + by;
    }
  };
  return {
    isOn: (side: number): boolean => (ofSide[side] ?? 0) > 0,
    /** Returns whether an item comes or goes; adds those that come to `appeared`. */
    apply: ({ items, by }: GrantChange, appeared: number[]): boolean => {
      let isChange = false;
      for (const item of items) {
        const grants = (ofItem[item] ?? 0) + by;
        ofItem[item] = grants;
        if (grants !== (by === 1 ? 1 : 0)) continue;
        isChange = true;
        count(item, by);
        if (by === 1) appeared.push(item);
      }
      return isChange;
    },
    *items(): Generator<number> {
      for (let item = 0; item < ofItem.length; item++) if (ofItem[item] !== 0) yield item;
    },
  };
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
