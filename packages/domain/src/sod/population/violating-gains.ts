import type { AccessRef } from '../../access/model/records.ts';
import type { Rows } from '../collections/rows.ts';
import { type Entitlements, entitlementsOf, hasEntitlement } from '../evaluation/access.ts';
import {
  itemsBySide,
  type PolicyPlace,
  policyAt,
  policySidesAt,
  type SodPolicyTable,
  type ViolatedPolicy,
} from '../rulebook/policy-table.ts';
import type { SodIndex } from '../rulebook/sod-index.ts';
import { createAssignmentIndexWriter } from './assignment-index.ts';
import {
  createConflictFinder,
  createFinderMemory,
  type FinderMemory,
  type HeldConflict,
  holderBatches,
} from './find-conflicts.ts';
import { compileGrantingRefs } from './granting-refs.ts';
import { isItemHeld, placeOfItem } from './item-code.ts';
import { createAccessRefTable, internRef } from './ref-table.ts';

/** Which violations count, and the memory of the search. */
export interface GainSearch {
  readonly index: SodIndex;
  readonly counts: (policy: ViolatedPolicy) => boolean;
  readonly memory: FinderMemory;
}

/** A search for violations of some policies, with memory of its own. */
export const createGainSearch = (index: SodIndex, counts: GainSearch['counts']): GainSearch => ({
  index,
  counts,
  memory: createFinderMemory(),
});

/**
 * Whether each holder would violate a policy if it gained some entitlements, at any time: as `predict` finds, something that the
 * holder does not have must contribute. Access has no windows.
 */
export function findViolatingHolders(
  search: GainSearch,
  gained: Entitlements,
  holders: readonly (readonly AccessRef[])[],
): readonly boolean[] {
  const found = holders.map(() => false);
  const population = { holders, gained: new Set(Array.from(gained)), named: gained };
  eachConflict(search, population, ({ holder, items }) => {
    if (!items.every(isItemHeld)) found[holder] = true;
  });
  return found;
}

/** Whether each of many refs would violate a policy if the holder of some entitlements gained that ref alone. */
export function findViolatingRefs(
  search: GainSearch,
  held: Entitlements,
  refs: readonly AccessRef[],
): readonly boolean[] {
  const found = refs.map(() => false);
  const named = new Set<number>();
  for (const ref of refs)
    for (const number of Array.from(entitlementsOf(search.index.catalogue, ref) ?? [])) named.add(number);
  // Each ref stands for a holder of nothing else, who gains what is held.
  const population = { holders: refs.map((ref) => [ref]), gained: new Set(Array.from(held)), named: [...named] };
  eachConflict(search, population, ({ holder, items }, itemAt) => {
    if (items.some((item) => isItemHeld(item) && !hasEntitlement(held, itemAt(placeOfItem(item)))))
      found[holder] = true;
  });
  return found;
}

interface GainingPopulation {
  readonly holders: readonly (readonly AccessRef[])[];
  /** What all of them gain. */
  readonly gained: ReadonlySet<number>;
  /** Policies without any of these entitlements are left out. */
  readonly named: Entitlements;
}

/** Calls back for each holder that violates a policy together with the gain, and tells the entitlement of an item by its place. */
function eachConflict(
  { index, counts, memory }: GainSearch,
  { holders, gained, named }: GainingPopulation,
  visit: (conflict: HeldConflict, itemAt: (place: number) => number) => void,
): void {
  const policies = policiesNaming(index, named).filter((place) => counts(policyAt(place)));
  if (policies.length === 0) return;
  const items = new Set(policies.flatMap((place) => itemsBySide(policySidesAt(place)).flatMap((side) => [...side])));
  const refs = createAccessRefTable();
  const writer = createAssignmentIndexWriter();
  for (const access of holders) {
    for (const { type, id } of access) writer.add(internRef(refs, type, { text: id, start: 0, end: id.length }));
    writer.endHolder();
  }
  const grantingRefs = compileGrantingRefs(refs, index.catalogue, (entitlement) => items.has(entitlement));
  const gain = { entitlements: gained, holders: Uint32Array.from(holders.keys()) };
  const finder = createConflictFinder({ holdings: writer.finish(refs.count), grantingRefs }, gain, memory);
  for (const place of policies) {
    const sides = policySidesAt(place);
    const first = sides.rows.starts[sides.first] ?? 0;
    const itemAt = (at: number) => sides.rows.values[first + at] ?? 0;
    for (const batch of holderBatches(finder)) for (const conflict of batch.find(sides, true)) visit(conflict, itemAt);
  }
}

/** The enforced policies that name one of some entitlements. */
function policiesNaming({ compiled, overlay }: SodIndex, entitlements: Entitlements): readonly PolicyPlace[] {
  const unchanged = [...numbersNaming(compiled, entitlements)].filter(
    (number) => overlay?.retired.has(number) !== true,
  );
  const changed = overlay === null ? [] : [...numbersNaming(overlay.table, entitlements)];
  return [
    ...unchanged.map((number) => ({ table: compiled, number })),
    ...changed.map((number) => ({ table: overlay?.table ?? compiled, number })),
  ];
}

function numbersNaming({ entries, policyBySide }: SodPolicyTable, entitlements: Entitlements): ReadonlySet<number> {
  const found = new Set<number>();
  for (const entitlement of Array.from(entitlements))
    for (const entry of rowOf(entries, entitlement))
      found.add(entry % 2 === 0 ? (policyBySide[entry >> 1] ?? 0) : entry >> 1);
  return found;
}

function* rowOf({ starts, values }: Rows, row: number): Generator<number, void> {
  for (let at = starts[row] ?? 0; at < (starts[row + 1] ?? 0); at++) yield values[at] ?? 0;
}
