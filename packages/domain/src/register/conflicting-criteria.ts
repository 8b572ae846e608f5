import { rowAt } from '../collections/csr-rows.ts';
import { entitlementAt, type SodCatalogue } from '../rulebook/catalogue.ts';
import { isShownAsKOfN, type PolicyPlace, policySidesAt, sideNameAt } from '../rulebook/policy-table.ts';

/** Whether an item is shown: its place among the items of all sides, and the number of its entitlement. */
type IsShown = (place: number, entitlement: number) => boolean;

/**
 * The sides of a violated policy that are held, with their held items, in policy order: the JSON text of an array of
 * `ConflictingCriterion`. Sides without a name are `left` and `right`, those of k-of-n policies `side 1` and so on.
 */
export function conflictingCriteriaJson(catalogue: SodCatalogue, policy: PolicyPlace, isShown: IsShown): string {
  const { rows, first, sideCount } = policySidesAt(policy);
  const sides: string[] = [];
  let place = 0;
  for (let side = 0; side < sideCount; side++) {
    const items: string[] = [];
    for (const entitlement of rowAt(rows, first + side))
      if (isShown(place++, entitlement)) items.push(itemJson(catalogue, entitlement));
    if (items.length === 0) continue;
    const name = sideNameAt(policy.table, first + side) ?? nameOfUnnamed(policy, side);
    sides.push(`{"name":${JSON.stringify(name)},"conflictingItems":[${items.join(',')}]}`);
  }
  return `[${sides.join(',')}]`;
}

const nameOfUnnamed = (policy: PolicyPlace, side: number): string =>
  isShownAsKOfN(policy) ? `side ${side + 1}` : side === 0 ? 'left' : 'right';

const END_OF_VIOLATION_ITEM = ',"existing":'.length;

const itemJson = (catalogue: SodCatalogue, entitlement: number): string =>
  `${entitlementAt(catalogue, entitlement).json.slice(0, -END_OF_VIOLATION_ITEM)}}`;
