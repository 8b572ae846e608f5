import type { CsrRows } from '../collections/csr-rows.ts';
import type { PolicySides } from '../rulebook/policy-table.ts';
import type { AssignmentIndex, HolderNumbers } from './assignment-index.ts';

/** Entitlements that some holders gain, by numbers. */
export interface Gain {
  readonly entitlements: ReadonlySet<number>;
  /** Ascending, each once. */
  readonly holders: Uint32Array;
}

/** The assignments of a population, and the refs that give each entitlement. */
export interface HeldAccessLists {
  readonly holdings: AssignmentIndex;
  readonly grantingRefs: CsrRows;
}

/** The holders of the items of one policy: a list for each ref that gives an item, side after side. Parallel arrays, reused for the next policy. */
export interface PolicyHolders {
  /** List `i` is `holders[i]` from `starts[i]` up to, and without, `ends[i]`. */
  readonly holders: HolderNumbers[];
  readonly starts: number[];
  readonly ends: number[];
  /** A bit for each holder of the list; null for a list of few. */
  readonly bits: (Uint32Array | null)[];
  /** The place of the item among those of all sides, times two, plus one unless it is only gained. */
  readonly items: number[];
  /** Side `s` has the lists up to, and without, `sideEnds[s]`, which have `sideLengths[s]` holders together. */
  readonly sideEnds: number[];
  readonly sideLengths: number[];
}

/** Empty lists. */
export const createPolicyHolders = (): PolicyHolders => ({
  holders: [],
  starts: [],
  ends: [],
  bits: [],
  items: [],
  sideEnds: [],
  sideLengths: [],
});

/** Replaces the lists by those of a policy. */
export function gatherHolders(
  lists: PolicyHolders,
  { rows, first, sideCount }: PolicySides,
  held: HeldAccessLists & { readonly gain: Gain | null },
): void {
  lists.items.length = 0;
  let place = 0;
  for (let side = 0; side < sideCount; side++) {
    const from = rows.starts[first + side] ?? 0;
    const end = rows.starts[first + side + 1] ?? 0;
    let length = 0;
    for (let at = from; at < end; at++, place++) {
      length += addHolders(lists, { entitlement: rows.values[at] ?? 0, item: place * 2 }, held);
    }
    lists.sideEnds[side] = lists.items.length;
    lists.sideLengths[side] = length;
  }
}

function addHolders(
  lists: PolicyHolders,
  { entitlement, item }: { readonly entitlement: number; readonly item: number },
  { holdings, grantingRefs, gain }: HeldAccessLists & { readonly gain: Gain | null },
): number {
  const end = grantingRefs.starts[entitlement + 1] ?? 0;
  let length = 0;
  for (let at = grantingRefs.starts[entitlement] ?? 0; at < end; at++) {
    const ref = grantingRefs.values[at] ?? 0;
    const list = lists.items.length;
    const first = holdings.starts[ref] ?? 0;
    const last = holdings.starts[ref + 1] ?? 0;
    if (first >= last) continue;
    lists.holders[list] = holdings.holders;
    lists.starts[list] = first;
    lists.ends[list] = last;
    lists.bits[list] = last - first < holdings.manyFrom ? null : (holdings.bits.get(ref) ?? null);
    lists.items[list] = item + 1;
    length += last - first;
  }
  if (gain === null || !gain.entitlements.has(entitlement)) return length;
  const list = lists.items.length;
  lists.holders[list] = gain.holders;
  lists.starts[list] = 0;
  lists.ends[list] = gain.holders.length;
  lists.bits[list] = null;
  lists.items[list] = item;
  return length + gain.holders.length;
}

/** Restricts the lists to the holders from `from` up to, and without, `end`. */
export function narrowHolders(
  { holders, starts, ends, sideEnds, sideLengths }: PolicyHolders,
  { from, end, sideCount }: { readonly from: number; readonly end: number; readonly sideCount: number },
): void {
  for (let side = 0, list = 0; side < sideCount; side++) {
    let length = 0;
    for (const sideEnd = sideEnds[side] ?? 0; list < sideEnd; list++) {
      const numbers = holders[list] ?? NO_HOLDERS;
      const range = [starts[list] ?? 0, ends[list] ?? 0] as const;
      const first = placeOf(from, numbers, range);
      const last = placeOf(end, numbers, range);
      starts[list] = first;
      ends[list] = last;
      length += last - first;
    }
    sideLengths[side] = length;
  }
}

const NO_HOLDERS = new Uint32Array();

/** The first place in a range of ascending numbers whose number is not less than the given one. */
function placeOf(number: number, numbers: HolderNumbers, [first, end]: readonly [number, number]): number {
  let low = first;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] ?? 0) < number) low = middle + 1;
    else high = middle;
  }
  return low;
}
