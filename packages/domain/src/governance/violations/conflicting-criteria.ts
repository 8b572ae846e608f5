import { rowAt } from '../../sod/collections/csr-rows.ts';
import { entitlementAt, type SodCatalogue } from '../../sod/rulebook/catalogue.ts';
import { isShownAsKOfN, type PolicyPlace, policySidesAt, sideNameAt } from '../../sod/rulebook/policy-table.ts';
import type { ConflictingCriterion } from './violation.ts';

/** Whether an item is shown: its place among the items of all sides, and the number of its entitlement. */
type IsShown = (place: number, entitlement: number) => boolean;

/**
 * The sides of a violated policy that are held, with their held items, in policy order. Sides without a name are `left` and
 * `right`, those of k-of-n policies `side 1` and so on.
 */
export function conflictingCriteriaOf(
  catalogue: SodCatalogue,
  policy: PolicyPlace,
  isShown: IsShown,
): readonly ConflictingCriterion[] {
  const { rows, first, sideCount } = policySidesAt(policy);
  const sides: ConflictingCriterion[] = [];
  let place = 0;
  for (let side = 0; side < sideCount; side++) {
    const conflictingItems: ConflictingCriterion['conflictingItems'][number][] = [];
    for (const entitlement of rowAt(rows, first + side)) {
      if (!isShown(place++, entitlement)) continue;
      const { id, name } = entitlementAt(catalogue, entitlement);
      conflictingItems.push({ type: 'ENTITLEMENT', id, name });
    }
    if (conflictingItems.length === 0) continue;
    const name = sideNameAt(policy.table, first + side) ?? nameOfUnnamed(policy, side);
    sides.push({ name, conflictingItems });
  }
  return sides;
}

const nameOfUnnamed = (policy: PolicyPlace, side: number): string =>
  isShownAsKOfN(policy) ? `side ${side + 1}` : side === 0 ? 'left' : 'right';
