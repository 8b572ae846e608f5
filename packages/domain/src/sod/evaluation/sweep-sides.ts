import type { Interval } from '../../access/model/interval.ts';
import type { TimedAccessRef } from '../../access/model/records.ts';
import { entitlementAt, type SodCatalogue } from '../rulebook/catalogue.ts';
import { itemsBySide, type PolicyPlace, policySidesAt } from '../rulebook/policy-table.ts';
import { type Entitlements, expandAssignments, hasEntitlement } from './access.ts';
import { type Holder, instantsOf } from './question.ts';
import {
  addBits,
  bitsOf,
  firstCommon,
  type IntervalBits,
  isOn,
  NEVER,
  noIntervals,
  violatedIntervals,
} from './timeline.ts';

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

/** Finds when access violates a policy from `fromMs` (since 1970) on. Items that are on no side count for nothing. */
export function sweepSides<T>(
  { sides, atLeast }: SidesOfItems<T>,
  access: Iterable<{ readonly items: Iterable<T>; readonly intervals: readonly Interval[] }>,
  fromMs: number,
): ItemsOfViolation<T> {
  const known = new Set(sides.flat());
  const grants = Array.from(access, ({ items, intervals }) => ({
    items: [...items].filter((item) => known.has(item)),
    intervals,
  })).filter(({ items }) => items.length > 0);
  const starts = instantsOf(
    grants.flatMap(({ intervals }) => intervals),
    { nowMs: fromMs },
  );
  const bitsByItem = new Map(Array.from(known, (item) => [item, noIntervals(starts.length)]));
  for (const { items, intervals } of grants) {
    const bits = bitsOf(starts, intervals);
    for (const item of items) addBits(bitsByItem.get(item) ?? NEVER.any, bits);
  }
  const timelineOf = (item: T) => ({ ...NEVER, any: bitsByItem.get(item) ?? NEVER.any });
  const violated = violatedIntervals({ sides: sides.map((items) => items.map(timelineOf)), atLeast }, 'any');
  if (violated === null) return { intervals: [], items: [] };
  return {
    intervals: intervalsBetweenChanges(violated, [...bitsByItem.values()], starts),
    items: [...bitsByItem].flatMap(([item, bits]) => (firstCommon(bits, violated) < 0 ? [] : [item])),
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
