import { entitlementAt, type SodCatalogue, type SodEntitlement } from '../rulebook/catalogue.ts';
import { type PolicyPlace, policySidesAt } from '../rulebook/policy-table.ts';
import { policyPlaceAt, type SodIndex } from '../rulebook/sod-index.ts';
import { EXISTING, NOT_SHOWN, type Violation } from './violation.ts';

/** An item that a violation shows. */
export interface ShownItem {
  /** The number of its entitlement. */
  readonly entitlement: number;
  readonly item: SodEntitlement;
  /** Whether it is held at the first violating instant. */
  readonly existing: boolean;
}

/** The items that a violation shows, by the sides of its policy; each side is sorted by id. */
export function shownItems(index: SodIndex, { policy, shown }: Violation): readonly (readonly ShownItem[])[] {
  const { rows, first, sideCount } = policySidesAt(policyPlaceAt(index, policy));
  const start = rows.starts[first] ?? 0;
  const sides: ShownItem[][] = [];
  for (let row = first; row < first + sideCount; row++) {
    const items: ShownItem[] = [];
    const end = rows.starts[row + 1] ?? 0;
    for (let at = rows.starts[row] ?? 0; at < end; at++) {
      const state = shown[at - start];
      if (state === undefined || state === NOT_SHOWN) continue;
      const entitlement = rows.values[at] ?? 0;
      items.push({ entitlement, item: entitlementAt(index.catalogue, entitlement), existing: state === EXISTING });
    }
    sides.push(items);
  }
  return sides;
}

/** Chooses items of a policy, each by its place among the items of all sides and by the number of its entitlement. */
export type ChooseItem = (place: number, entitlement: number) => boolean;

/** The chosen items of a policy, by its sides; each side is sorted by id. */
export function chosenItems(
  catalogue: SodCatalogue,
  policy: PolicyPlace,
  isChosen: ChooseItem,
): readonly (readonly SodEntitlement[])[] {
  const { rows, first, sideCount } = policySidesAt(policy);
  const sides: SodEntitlement[][] = [];
  let place = 0;
  for (let row = first; row < first + sideCount; row++) {
    const items: SodEntitlement[] = [];
    const end = rows.starts[row + 1] ?? 0;
    for (let at = rows.starts[row] ?? 0; at < end; at++) {
      const entitlement = rows.values[at] ?? 0;
      if (isChosen(place++, entitlement)) items.push(entitlementAt(catalogue, entitlement));
    }
    sides.push(items);
  }
  return sides;
}
