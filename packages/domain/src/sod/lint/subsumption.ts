import { type CsrRows, createRowWriter, endRow, pushNumber, rowsOf } from '../collections/csr-rows.ts';
import type { Pieces } from './pieces.ts';
import { PAUSE } from './pieces.ts';
import { itemsBySide, type LintRulebook } from './rulebook.ts';

/** A policy in the form for comparison with others. */
export interface ComparedPolicy {
  /** The items of each side. */
  readonly sides: readonly Uint32Array[];
  /** The number of sides on which access violates it. */
  readonly atLeast: number;
}

/** The policies to compare. A place is an index in the list of chosen policies. */
export interface ComparedPolicies {
  readonly at: (place: number) => ComparedPolicy;
  /** All items of each policy, sorted and unique. */
  readonly items: CsrRows;
  /** For each of these items the sides of the policy that have it: bit `s` for side `s`. */
  readonly masks: Uint16Array;
}

/** The policy with this number, in the form for comparison. */
export const comparedPolicy = (rulebook: LintRulebook, policy: number): ComparedPolicy => ({
  sides: itemsBySide(rulebook, policy),
  atLeast: rulebook.policies[policy]?.atLeast ?? 0,
});

/** Prepares the policies of these numbers; a piece is a policy. */
export function* preparePolicies(rulebook: LintRulebook, chosen: readonly number[]): Pieces<ComparedPolicies> {
  const at = (place: number) => comparedPolicy(rulebook, chosen[place] ?? 0);
  const writer = createRowWriter();
  for (let place = 0; place < chosen.length; place++) {
    for (const side of at(place).sides) for (const item of side) pushNumber(writer, item);
    endRow(writer);
    yield PAUSE;
  }
  const items = rowsOf(writer);
  const masks = new Uint16Array(items.values.length);
  for (let place = 0; place < chosen.length; place++) {
    for (const [side, row] of at(place).sides.entries()) {
      for (const item of row) {
        const found = find(items, place, item);
        masks[found] = (masks[found] ?? 0) | (1 << side);
      }
    }
    yield PAUSE;
  }
  return { at, items, masks };
}

/** The position of an item in a row; -1 when the row lacks it. */
function find({ starts, values }: CsrRows, row: number, item: number): number {
  let low = starts[row] ?? 0;
  const end = starts[row + 1] ?? 0;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] ?? 0) < item) low = middle + 1;
    else high = middle;
  }
  return low < end && values[low] === item ? low : -1;
}

/** Whether any access that violates a policy also violates the one at a place. */
export function isSubsumed(narrow: ComparedPolicy, policies: ComparedPolicies, place: number): boolean {
  const reach = reachOf(narrow, policies, place);
  return reach !== null && isAlwaysReached(reach, narrow.atLeast, policies.at(place).atLeast);
}

/** For each side of the narrow policy, the different masks of its items in the broad one. */
type Reach = readonly (readonly number[])[];

/** Null when the sides with an item that the broad policy lacks are enough to violate the narrow one alone. */
function reachOf({ sides, atLeast }: ComparedPolicy, policies: ComparedPolicies, broad: number): Reach | null {
  const reach: (readonly number[])[] = [];
  let missed = 0;
  for (const side of sides) {
    const masks = masksOf(side, policies, broad);
    if (masks === NO_SIDES && ++missed === atLeast) return null;
    reach.push(masks);
  }
  return reach;
}

// One item on no side decides: whichever other items the side has, choosing that item reaches the fewest sides.
const NO_SIDES: readonly number[] = [0];

function masksOf(side: Uint32Array, { items, masks }: ComparedPolicies, broad: number): readonly number[] {
  const found: number[] = [];
  for (let i = 0; i < side.length; i++) {
    const at = find(items, broad, side[i] ?? 0);
    if (at < 0) return NO_SIDES;
    const mask = masks[at] ?? 0;
    if (!found.includes(mask)) found.push(mask);
  }
  return found;
}

/**
 * Whether every choice of one item each from `choose` sides reaches `atLeast` sides of the broad policy. The rule of one access
 * is not applied to each choice: choices that reach the same sides are followed once.
 */
function isAlwaysReached(reach: Reach, choose: number, atLeast: number): boolean {
  const [left, right] = reach;
  // Most policies are two-sided.
  if (left !== undefined && right !== undefined && reach.length === 2)
    return left.every((one) => right.every((other) => bitCount(one | other) >= atLeast));
  // Entry `n` has the masks reached by choices from `n` sides that do not reach enough sides yet.
  const tooFew = Array.from({ length: choose + 1 }, () => new Set<number>());
  tooFew[0]?.add(0);
  for (const masks of reach) {
    // Downwards, so that one side is not chosen twice.
    for (let chosen = choose - 1; chosen >= 0; chosen--) {
      const after = tooFew[chosen + 1];
      for (const mask of tooFew[chosen] ?? [])
        for (const other of masks) if (bitCount(mask | other) < atLeast) after?.add(mask | other);
    }
  }
  return tooFew[choose]?.size === 0;
}

function bitCount(mask: number): number {
  let count = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) count++;
  return count;
}
