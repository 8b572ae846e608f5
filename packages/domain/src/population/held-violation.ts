import { groupByRef, type Interval } from '../access-model/interval.ts';
import type { TimedAccessRef } from '../access-model/records.ts';
import { rowAt } from '../collections/csr-rows.ts';
import { entitlementsOf } from '../evaluation/expand-access.ts';
import { violatingIntervals } from '../evaluation/violating-intervals.ts';
import type { SodCatalogue } from '../rulebook/catalogue.ts';
import { type PolicyPlace, policySidesAt } from '../rulebook/policy-table.ts';

/** When assignments violate a policy, from `nowMs` (since 1970) on. Refs that the catalogue lacks count for nothing. */
export function heldViolationIntervals(
  catalogue: SodCatalogue,
  place: PolicyPlace,
  { assignments, nowMs }: { readonly assignments: readonly TimedAccessRef[]; readonly nowMs: number },
): readonly Interval[] {
  const { rows, first, sideCount, atLeast } = policySidesAt(place);
  const items = Array.from({ length: sideCount }, (_, side) => [...rowAt(rows, first + side)]);
  const times = new Map(items.flat().map((item) => [item, [] as Interval[]]));
  for (const { ref, intervals } of groupByRef(assignments)) {
    const entitlements = entitlementsOf(catalogue, ref) ?? [];
    for (let at = 0; at < entitlements.length; at++) {
      const own = times.get(entitlements[at] ?? 0);
      if (own !== undefined) for (const interval of intervals) own.push(interval);
    }
  }
  const sides = items.map((numbers) => numbers.map((number) => times.get(number) ?? []));
  return violatingIntervals({ sides, atLeast }, nowMs);
}
