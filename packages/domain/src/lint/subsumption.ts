import { type CsrRows, createRowWriter, endRow, pushNumber, rowsOf } from '../collections/csr-rows.ts';
import { isPauseDue, type Steps, type WorkBudget } from '../steps/work-budget.ts';
import { itemsBySide, LIGHT, type LintRulebook } from './rulebook.ts';

/** A policy to be compared. */
export interface ComparedPolicy {
  /** The items of each side. */
  readonly sides: readonly Uint32Array[];
  /** How many sides it takes to violate it. */
  readonly atLeast: number;
}

/** Policies to be compared, by their places. */
export interface ComparedPolicies {
  readonly at: (place: number) => ComparedPolicy;
  /** All items of each policy, sorted and unique. */
  readonly items: CsrRows;
  /** For each of these items the sides of the policy that have it, a bit for each side. */
  readonly masks: Uint16Array;
}

/** The policy of a number. */
export const comparedPolicy = (rulebook: LintRulebook, policy: number): ComparedPolicy => ({
  sides: itemsBySide(rulebook, policy),
  atLeast: rulebook.policies[policy]?.atLeast ?? 0,
});

/** Prepares the policies of these numbers, in steps. */
export function* preparePolicies(
  rulebook: LintRulebook,
  { chosen, budget }: { readonly chosen: readonly number[]; readonly budget: WorkBudget },
): Steps<ComparedPolicies> {
  const at = (place: number) => comparedPolicy(rulebook, chosen[place] ?? 0);
  const writer = createRowWriter();
  for (let place = 0; place < chosen.length; place++) {
    const start = writer.length;
    for (const side of at(place).sides) for (const item of side) pushNumber(writer, item);
    const written = writer.length - start;
    endRow(writer);
    if (isPauseDue(budget, 1 + written)) yield;
  }
  const items = rowsOf(writer);
  const masks = new Uint16Array(items.values.length);
  for (let place = 0; place < chosen.length; place++) {
    const marked = markSides(masks, items, { place, sides: at(place).sides });
    if (isPauseDue(budget, 1 + marked)) yield;
  }
  return { at, items, masks };
}

function markSides(
  masks: Uint16Array,
  items: CsrRows,
  { place, sides }: { readonly place: number; readonly sides: readonly Uint32Array[] },
): number {
  let marked = 0;
  for (const [bit, side] of sides.entries()) {
    for (const item of side) {
      const at = find(items, place, item);
      masks[at] = (masks[at] ?? 0) | (1 << bit);
    }
    marked += side.length;
  }
  return marked;
}

/** Where an item of a row is; -1 when the row lacks it. */
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

/** Whether the policy at a place is as wide as this one, in steps. */
export function* isAsWide(
  narrow: ComparedPolicy,
  {
    policies,
    place,
    budget,
  }: { readonly policies: ComparedPolicies; readonly place: number; readonly budget: WorkBudget },
): Steps<boolean> {
  const reach = reachOf(narrow, policies, place);
  if (isPauseDue(budget, reach === null ? 1 : COMPARISON_WORK)) yield;
  if (reach === null) return false;
  return yield* isAlwaysReached(reach, { choose: narrow.atLeast, atLeast: policies.at(place).atLeast, budget });
}

// What takes to look up all the items of a policy in another one, there and back.
const COMPARISON_WORK = 16;

/** For each side of a narrow policy, the sides of a wide one that its items are on: a mask for each kind of item. */
type Reach = readonly (readonly number[])[];

/**
 * Looks up the items of a policy in another one. Null when so many sides have an item that the other lacks that these
 * alone violate the one and not the other.
 */
function reachOf({ sides, atLeast }: ComparedPolicy, policies: ComparedPolicies, wide: number): Reach | null {
  const reach: (readonly number[])[] = [];
  let missed = 0;
  for (const side of sides) {
    const kinds = kindsOf(side, policies, wide);
    if (kinds === MISSED && ++missed === atLeast) return null;
    reach.push(kinds);
  }
  return reach;
}

// Whatever else is on a side: an item that is on none leads to the fewest.
const MISSED: readonly number[] = [0];

function kindsOf(side: Uint32Array, { items, masks }: ComparedPolicies, wide: number): readonly number[] {
  const kinds: number[] = [];
  for (let i = 0; i < side.length; i++) {
    const at = find(items, wide, side[i] ?? 0);
    if (at < 0) return MISSED;
    const mask = masks[at] ?? 0;
    if (!kinds.includes(mask)) kinds.push(mask);
  }
  return kinds;
}

/** How many sides of the narrow policy are chosen, and how many of the wide one are to be reached. */
interface Aim {
  readonly choose: number;
  readonly atLeast: number;
  readonly budget: WorkBudget;
}

/** Whether any choice of one item each of so many sides is on enough sides of the wide policy, in steps. */
function* isAlwaysReached(reach: Reach, { choose, atLeast, budget }: Aim): Steps<boolean> {
  const [left, right] = reach;
  // By far the most policies are two-sided.
  if (left !== undefined && right !== undefined && reach.length === 2)
    return left.every((one) => right.every((other) => bitCount(one | other) >= atLeast));
  // By how many sides were chosen from: the sides that a choice is on, where they are too few.
  const choices = Array.from({ length: choose + 1 }, () => new Set<number>());
  choices[0]?.add(0);
  for (const kinds of reach) {
    // From the most down, so that a side is chosen from once.
    for (let chosen = choose - 1; chosen >= 0; chosen--) {
      const before = choices[chosen] ?? [];
      const after = choices[chosen + 1];
      let work = 1 / LIGHT;
      for (const mask of before) {
        for (const kind of kinds) if (bitCount(mask | kind) < atLeast) after?.add(mask | kind);
        work += kinds.length / 4;
      }
      if (isPauseDue(budget, work)) yield;
    }
  }
  return choices[choose]?.size === 0;
}

function bitCount(mask: number): number {
  let count = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) count++;
  return count;
}
