import { groupByRef, type Interval } from '../../access/model/interval.ts';
import type { TimedAccessRef } from '../../access/model/records.ts';
import { rowAt } from '../collections/csr-rows.ts';
import { entitlementsOf } from '../evaluation/expand-access.ts';
import { type Grant, placeItems, sweepViolations } from '../evaluation/violating-intervals.ts';
import type { SodCatalogue } from '../rulebook/catalogue.ts';
import { type PolicyPlace, policySidesAt } from '../rulebook/policy-table.ts';

/** When assignments violate a policy, from `nowMs` (since 1970) on. Refs that the catalogue lacks count for nothing. */
export function heldViolationIntervals(
  catalogue: SodCatalogue,
  place: PolicyPlace,
  { assignments, nowMs }: { readonly assignments: readonly TimedAccessRef[]; readonly nowMs: number },
): readonly Interval[] {
  const { rows, first, sideCount, atLeast } = policySidesAt(place);
  const sides = Array.from({ length: sideCount }, (_, side) => [...rowAt(rows, first + side)]);
  const { places, sidesOf } = placeItems(sides);
  const grants: Grant[] = [];
  for (const { ref, intervals } of groupByRef(assignments)) {
    const entitlements = entitlementsOf(catalogue, ref) ?? [];
    const items: number[] = [];
    for (let at = 0; at < entitlements.length; at++) {
      const item = places.get(entitlements[at] ?? 0);
      if (item !== undefined) items.push(item);
    }
    if (items.length > 0) grants.push({ items, intervals });
  }
  return sweepViolations({ sidesOf, sideCount, atLeast, grants }, nowMs).intervals;
}
