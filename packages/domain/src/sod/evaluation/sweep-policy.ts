import type { Interval } from '../../access/model/interval.ts';
import type { TimedAccessRef } from '../../access/model/records.ts';
import { rowAt } from '../collections/csr-rows.ts';
import { entitlementAt, type SodCatalogue } from '../rulebook/catalogue.ts';
import { type PolicyPlace, policySidesAt } from '../rulebook/policy-table.ts';
import type { Entitlements } from './expand-access.ts';
import { expandAssignments } from './held-access.ts';
import type { Holder } from './question.ts';
import { type ItemsOfViolation, sweepSides } from './violating-intervals.ts';

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
  const { rows, first, sideCount, atLeast } = policySidesAt(place);
  const sides = Array.from({ length: sideCount }, (_, side) => [...rowAt(rows, first + side)]);
  const ofPolicy = [...new Set(sides.flat())];
  const granted = access.map(({ entitlements, intervals }) => ({
    items: ofPolicy.filter((item) => hasSorted(entitlements, item)),
    intervals,
  }));
  const { intervals, items } = sweepSides({ sides, atLeast }, granted, fromMs);
  return { intervals, items: items.map((item) => entitlementAt(catalogue, item).id) };
}

/** Finds when assignments violate a policy from `fromMs` (since 1970) on. Refs that the catalogue lacks count for nothing. */
export const sweepAssignments = (
  catalogue: SodCatalogue,
  place: PolicyPlace,
  { assignments, fromMs }: { readonly assignments: readonly TimedAccessRef[]; readonly fromMs: number },
): ItemsOfViolation<string> =>
  sweepPolicy(catalogue, place, { access: accessInTime(expandAssignments({ catalogue }, assignments)), fromMs });

/** Whether a number is in an ascending list. */
function hasSorted(numbers: Entitlements, number: number): boolean {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] ?? 0) < number) low = middle + 1;
    else high = middle;
  }
  return numbers[low] === number;
}
