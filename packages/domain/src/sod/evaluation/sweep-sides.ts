import type { Interval } from '../../access/model/interval.ts';
import type { TimedAccessRef } from '../../access/model/records.ts';
import { entitlementAt, type SodCatalogue } from '../rulebook/catalogue.ts';
import { itemsBySide, type PolicyPlace, policySidesAt } from '../rulebook/policy-table.ts';
import { type Entitlements, expandAssignments, hasEntitlement } from './access.ts';
import { type Holder, instantsOf } from './question.ts';
import { bitsOf, bothOf, type IntervalBits, isOn, NEVER, sweep, type Timeline } from './timeline.ts';

/** The items of a policy by side, and how many sides make a violation. */
export interface SidesOfItems<T> {
  readonly sides: readonly (readonly T[])[];
  readonly atLeast: number;
}

/** When a policy is violated, and the items that take part. */
export interface ItemsOfViolation<T> {
  /**
   * Ascending. Each begins and ends where an item of the policy comes or goes, so the same items are there throughout; the
   * last one may have no end.
   */
  readonly intervals: readonly Interval[];
  readonly items: readonly T[];
}

/** Items that come and go together. */
export interface ItemsInTime<T> {
  readonly items: Iterable<T>;
  readonly intervals: readonly Interval[];
  /** Whether they are gained; they are held if this is left out. */
  readonly isGained?: boolean;
}

/** An item that takes part in a violation. */
interface ItemTakingPart<T> {
  readonly item: T;
  readonly timeline: Timeline;
  /** Whether it is held when it first takes part. */
  readonly isHeld: boolean;
}

/** The violation of one policy by access of its own times. */
interface SweptAccess<T> {
  /** When each interval begins, in milliseconds since 1970. */
  readonly starts: ArrayLike<number>;
  readonly violated: IntervalBits;
  /** Each once, in order of the sides. */
  readonly items: readonly ItemTakingPart<T>[];
}

/**
 * Sweeps over the intervals between the beginnings and ends of access from `fromMs` (since 1970) on; null if the policy is never
 * violated. Items that are on no side count for nothing.
 */
export function sweepAccess<T>(
  { sides, atLeast }: SidesOfItems<T>,
  access: Iterable<ItemsInTime<T>>,
  fromMs: number,
): SweptAccess<T> | null {
  const all = sides.flat();
  const known = new Set(all);
  const grants = Array.from(access, ({ items, intervals, isGained }) => ({
    items: [...items].filter((item) => known.has(item)),
    intervals,
    isGained,
  })).filter(({ items }) => items.length > 0);
  const starts = instantsOf(
    grants.flatMap(({ intervals }) => intervals),
    { nowMs: fromMs },
  );
  const timelines = new Map<T, Timeline>();
  for (const { items, intervals, isGained } of grants) {
    const bits = bitsOf(starts, intervals);
    for (const item of items) {
      const earlier = timelines.get(item) ?? NEVER;
      const held = isGained === true ? earlier.held : bothOf(earlier.held, bits);
      timelines.set(item, { held, before: held, any: bothOf(earlier.any, bits) });
    }
  }
  const timelineOf = (item: T) => timelines.get(item) ?? NEVER;
  const swept = sweep({ sides: sides.map((items) => items.map(timelineOf)), atLeast });
  if (swept === null) return null;
  const { violated, firsts } = swept;
  const items = new Map<T, ItemTakingPart<T>>();
  for (const [place, item] of all.entries()) {
    const first = firsts[place] ?? -1;
    const timeline = timelineOf(item);
    if (first >= 0) items.set(item, { item, timeline, isHeld: isOn(timeline.held, first) });
  }
  return { starts, violated, items: [...items.values()] };
}

/** Finds when access violates a policy from `fromMs` (since 1970) on. Items that are on no side count for nothing. */
export function sweepSides<T>(
  policy: SidesOfItems<T>,
  access: Iterable<ItemsInTime<T>>,
  fromMs: number,
): ItemsOfViolation<T> {
  const swept = sweepAccess(policy, access, fromMs);
  if (swept === null) return { intervals: [], items: [] };
  return { intervals: intervalsBetweenChanges(swept), items: swept.items.map(({ item }) => item) };
}

/** The violated intervals; successive ones with the same items are one. */
function intervalsBetweenChanges<T>({ starts, violated, items }: SweptAccess<T>): readonly Interval[] {
  const times = items.map(({ timeline }) => timeline.any);
  const intervals: Interval[] = [];
  let sinceMs: number | null = null;
  for (let interval = 0; interval < starts.length; interval++) {
    const ms = starts[interval] ?? 0;
    const isNow = isOn(violated, interval);
    if (sinceMs !== null && isNow && !times.some((bits) => isOn(bits, interval) !== isOn(bits, interval - 1))) continue;
    if (sinceMs !== null) intervals.push({ startMs: sinceMs, endMs: ms });
    sinceMs = isNow ? ms : null;
  }
  if (sinceMs !== null) intervals.push({ startMs: sinceMs, endMs: Number.POSITIVE_INFINITY });
  return intervals;
}

/** Entitlements that come and go together. */
export interface AccessInTime {
  readonly entitlements: Entitlements;
  readonly intervals: readonly Interval[];
}

const ALWAYS: Interval = { startMs: Number.NEGATIVE_INFINITY, endMs: Number.POSITIVE_INFINITY };

/** All that a holder has, with and without windows. */
export const accessInTime = ({ held, timed }: Holder): readonly AccessInTime[] => [
  { entitlements: held ?? [], intervals: [ALWAYS] },
  ...(timed ?? []).map(({ entitlements, windows }) => ({ entitlements, intervals: windows })),
];

/** Finds when access violates a policy from `fromMs` (since 1970) on. */
export function sweepPolicy(
  catalogue: SodCatalogue,
  place: PolicyPlace,
  { access, fromMs }: { readonly access: readonly AccessInTime[]; readonly fromMs: number },
): ItemsOfViolation<string> {
  const policy = policySidesAt(place);
  const sides = itemsBySide(policy).map((items) => [...items]);
  const ofPolicy = [...new Set(sides.flat())];
  const granted = access.map(({ entitlements, intervals }) => ({
    items: ofPolicy.filter((item) => hasEntitlement(entitlements, item)),
    intervals,
  }));
  const { intervals, items } = sweepSides({ sides, atLeast: policy.atLeast }, granted, fromMs);
  return { intervals, items: items.map((item) => entitlementAt(catalogue, item).id) };
}

/** Finds when assignments violate a policy from `fromMs` (since 1970) on. Refs that the catalogue lacks count for nothing. */
export const sweepAssignments = (
  catalogue: SodCatalogue,
  place: PolicyPlace,
  { assignments, fromMs }: { readonly assignments: readonly TimedAccessRef[]; readonly fromMs: number },
): ItemsOfViolation<string> =>
  sweepPolicy(catalogue, place, { access: accessInTime(expandAssignments({ catalogue }, assignments)), fromMs });
