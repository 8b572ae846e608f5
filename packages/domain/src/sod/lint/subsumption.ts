import { countBefore } from '../../basics/order/count-before.ts';
import type { LintedPolicy } from './rulebook.ts';

type ComparedPolicy = Pick<LintedPolicy, 'sides' | 'atLeast'>;

/** Whether any access that violates the narrow policy also violates the broad one. */
export function isSubsumed(narrow: ComparedPolicy, broad: ComparedPolicy): boolean {
  const reach = reachOf(narrow, broad);
  return reach !== null && isAlwaysReached(reach, narrow.atLeast, broad.atLeast);
}

/** For each side of the narrow policy, the different sets of sides that its items have in the broad one, as bits. */
type Reach = readonly (readonly number[])[];

/** Null when the sides with an item that the broad policy lacks are enough to violate the narrow one alone. */
function reachOf({ sides, atLeast }: ComparedPolicy, broad: ComparedPolicy): Reach | null {
  const reach: (readonly number[])[] = [];
  let missed = 0;
  for (const side of sides) {
    const masks = masksOf(side, broad);
    if (masks === NO_SIDES && ++missed === atLeast) return null;
    reach.push(masks);
  }
  return reach;
}

// One item on no side decides: whichever other items the side has, choosing that item reaches the fewest sides.
const NO_SIDES: readonly number[] = [0];

function masksOf(items: readonly number[], { sides }: ComparedPolicy): readonly number[] {
  const found: number[] = [];
  for (const item of items) {
    let mask = 0;
    for (const [side, others] of sides.entries()) if (hasSorted(others, item)) mask |= 1 << side;
    if (mask === 0) return NO_SIDES;
    if (!found.includes(mask)) found.push(mask);
  }
  return found;
}

const hasSorted = (items: readonly number[], item: number): boolean =>
  items[countBefore(items.length, (at) => (items[at] ?? 0) < item)] === item;

/**
 * Whether every choice of one item each from `choose` sides reaches `atLeast` sides of the broad policy. The rule of one access
 * is not applied to each choice: choices that reach the same sides are followed once.
 */
function isAlwaysReached(reach: Reach, choose: number, atLeast: number): boolean {
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
