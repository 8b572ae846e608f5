import { type PolicySides, policySidesAt } from '../rulebook/policy-table.ts';
import { policyPlaceAt, type SodIndex } from '../rulebook/sod-index.ts';
import { isViolated } from './is-violated.ts';
import type { MarkedAccess } from './scratch.ts';

/** How an item is shown: not at all, as held at the first violating instant, or as not held then. */
export const NOT_SHOWN = 0;
export const EXISTING = 1;
export const GAINED = 2;

/** A violation, in numbers. */
export interface Violation {
  /** The violated policy, as a number of the index. */
  readonly policy: number;
  /** Whether held access alone violates it at any instant that counts. */
  readonly preexisting: boolean;
  /** How each item of the sides of the policy is shown, in their order. */
  readonly shown: Uint8Array;
  /** The intervals with the violation, ascending: the first one of each run and the one after its last; empty if not asked for. */
  readonly runs: readonly number[];
}

const ONLY_INTERVAL = [0, 1];

/** A violation at the only instant that counts. */
export function violationAtInstant(index: SodIndex, policy: number, { marks, heldMark }: MarkedAccess): Violation {
  const sides = policySidesAt(policyPlaceAt(index, policy));
  const { starts, values } = sides.rows;
  const start = starts[sides.first] ?? 0;
  const shown = new Uint8Array(itemCountOf(sides));
  for (let item = 0; item < shown.length; item++) {
    const mark = marks[values[start + item] ?? 0] ?? 0;
    if (mark >= heldMark) shown[item] = mark === heldMark ? EXISTING : GAINED;
  }
  return { policy, preexisting: isPreexisting(sides, shown), shown, runs: ONLY_INTERVAL };
}

/** Whether the items that are held violate the policy by themselves. */
function isPreexisting(sides: PolicySides, shown: Uint8Array): boolean {
  const { starts } = sides.rows;
  const start = starts[sides.first] ?? 0;
  return isViolated(sides, (side) => {
    const end = (starts[sides.first + side + 1] ?? 0) - start;
    let item = (starts[sides.first + side] ?? 0) - start;
    while (item < end && shown[item] !== EXISTING) item++;
    return item < end;
  });
}

/** The number of items of all sides, each counted once for each side that it is on. */
export const itemCountOf = ({ rows: { starts }, first, sideCount }: PolicySides): number =>
  (starts[first + sideCount] ?? 0) - (starts[first] ?? 0);

const NO_ITEMS = new Uint8Array();

/** A violation whose items are not looked up. */
export const violationBeyond = (policy: number): Violation => ({
  policy,
  preexisting: false,
  shown: NO_ITEMS,
  runs: ONLY_INTERVAL,
});
