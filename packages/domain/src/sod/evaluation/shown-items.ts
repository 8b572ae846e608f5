import { entitlementAt, type SodCatalogue, type SodEntitlement } from '../rulebook/catalogue.ts';
import { type PolicyPlace, policySidesAt } from '../rulebook/policy-table.ts';
import { policyPlaceAt, type SodIndex } from '../rulebook/sod-index.ts';
import { type ChooseItem, EXISTING, NOT_SHOWN, type Violation } from './violations.ts';

/** An item that a violation shows. */
export interface ShownItem {
  readonly item: SodEntitlement;
  /** Whether it is held at the first violating instant. */
  readonly existing: boolean;
}

/** The items that a violation shows, by the sides of its policy; each side is sorted by id. */
export const shownItems = (
  index: SodIndex,
  { policy, shown }: Pick<Violation, 'policy' | 'shown'>,
): readonly (readonly ShownItem[])[] =>
  mapItems(policyPlaceAt(index, policy), (place, entitlement) => {
    const state = shown[place] ?? NOT_SHOWN;
    if (state === NOT_SHOWN) return null;
    return { item: entitlementAt(index.catalogue, entitlement), existing: state === EXISTING };
  });

/** The chosen items of a policy, by its sides; each side is sorted by id. */
export const chosenItems = (
  catalogue: SodCatalogue,
  policy: PolicyPlace,
  isChosen: ChooseItem,
): readonly (readonly SodEntitlement[])[] =>
  mapItems(policy, (place, entitlement) =>
    isChosen(place, entitlement) ? entitlementAt(catalogue, entitlement) : null,
  );

function mapItems<T>(
  policy: PolicyPlace,
  toItem: (place: number, entitlement: number) => T | null,
): readonly (readonly T[])[] {
  const { rows, first, sideCount } = policySidesAt(policy);
  const sides: T[][] = [];
  let place = 0;
  for (let side = first; side < first + sideCount; side++) {
    const items: T[] = [];
    const end = rows.starts[side + 1] ?? 0;
    for (let at = rows.starts[side] ?? 0; at < end; at++) {
      const item = toItem(place++, rows.values[at] ?? 0);
      if (item !== null) items.push(item);
    }
    sides.push(items);
  }
  return sides;
}
