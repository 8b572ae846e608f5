import { createEpochSet, type EpochSet, startEpoch } from '../collections/epoch-set.ts';
import { growInto } from '../collections/grow.ts';
import { type PolicyPlace, type PolicySides, policySidesAt } from '../rulebook/policy-table.ts';
import {
  createPolicyHolders,
  type Gain,
  gatherHolders,
  type HeldAccessLists,
  narrowHolders,
  type PolicyHolders,
} from './policy-holders.ts';

/** The violation of a policy by one holder. */
export interface HeldConflict {
  readonly holder: number;
  /** For each item held, ascending: its place among the items of all sides, times two, plus one unless it is only gained. */
  readonly items: readonly number[];
}

/** Finds the holders that violate a policy, for one policy after the other. For one thread. */
export interface ConflictFinder {
  /**
   * The violations of the current batch of holders, in order of the holders. A batch ends early where it would take long:
   * call `nextBatch` until it returns false. `withGain` counts what is gained as held.
   */
  find(place: PolicyPlace, withGain?: boolean): readonly HeldConflict[];
  /** The end of the current batch, exclusive. A search can shorten the batch that an earlier search of it has used. */
  readonly end: number;
  /** Moves on to the next batch; after the last one it returns false and starts over with all holders. */
  nextBatch(): boolean;
}

/**
 * Creates a finder that evaluates a policy for all holders at once, from the holders of its items. It applies the rule of
 * `isViolated` by marks and counts instead of calling it, because most holders have none of the items.
 */
export function createConflictFinder(
  held: HeldAccessLists,
  gain: Gain | null = null,
  memory = createFinderMemory(),
): ConflictFinder {
  const lists = createPolicyHolders();
  const { holderCount } = held.holdings;
  makeRoom(memory, holderCount);
  const found = memory;
  const plain = { ...held, gain: null };
  const gained = { ...held, gain };
  let from = 0;
  let end = holderCount;
  const gather = (sides: PolicySides, withGain: boolean): void => {
    gatherHolders(lists, sides, withGain ? gained : plain);
    const narrow = () => narrowHolders(lists, { from, end, sideCount: sides.sideCount });
    if (end - from < holderCount) narrow();
    const length = lengthOf(lists, sides.sideCount);
    if (length <= memory.lengthMax) return;
    end = from + Math.max(1, Math.floor(((end - from) * memory.lengthMax) / length));
    narrow();
  };
  return {
    get end() {
      return end;
    },
    nextBatch: () => {
      const isMore = end < holderCount;
      from = isMore ? end : 0;
      end = holderCount;
      return isMore;
    },
    find: (place, withGain = false) => {
      const sides = policySidesAt(place);
      gather(sides, withGain);
      // An earlier search may have failed half way.
      found.pairCount = 0;
      if (sides.sideCount === 2) findPair(lists, found);
      else findKOfN(lists, found, { ...sides, holderCount });
      return found.pairCount === 0 ? NO_CONFLICTS : takeConflicts(found);
    },
  };
}

function lengthOf({ sideLengths }: PolicyHolders, sideCount: number): number {
  let length = 0;
  for (let side = 0; side < sideCount; side++) length += sideLengths[side] ?? 0;
  return length;
}

// Takes some tens of milliseconds where all holders are in conflict.
const LENGTH_MAX = 250_000;
const NO_CONFLICTS: readonly HeldConflict[] = [];

/** Scratch memory of a finder. Several finders may share it if they do not run at the same time. */
export interface FinderMemory {
  /** The most holders of single items in one batch. */
  readonly lengthMax: number;
  /** One mark per holder: `mark` for a holder of the side, `mark + 1` for a holder in conflict. */
  marks: EpochSet;
  mark: number;
  /** The first `markedCount` entries are the holders of a side, each once. */
  marked: Uint32Array;
  markedCount: number;
  /** The number of sides that each holder is on. */
  sidesHeld: Uint8Array;
  /** The items of the holders in conflict: the holder, times `HOLDER`, plus the item. */
  pairs: Float64Array;
  pairCount: number;
}

const HOLDER = 2 ** 20;

/** Empty memory, which grows with the population that it is used for. */
export const createFinderMemory = (lengthMax = LENGTH_MAX): FinderMemory => ({
  lengthMax,
  marks: createEpochSet(0),
  mark: 0,
  marked: new Uint32Array(),
  markedCount: 0,
  sidesHeld: new Uint8Array(),
  pairs: new Float64Array(256),
  pairCount: 0,
});

function makeRoom(memory: FinderMemory, holderCount: number): void {
  if (memory.sidesHeld.length >= holderCount) return;
  memory.marks = createEpochSet(holderCount);
  memory.marked = new Uint32Array(holderCount);
  memory.sidesHeld = new Uint8Array(holderCount);
}

/** Marks the holders of the smaller side, and scans them again only when the other side shows a conflict. */
function findPair(lists: PolicyHolders, found: FinderMemory): void {
  const { sideEnds, sideLengths } = lists;
  const left = sideLengths[0] ?? 0;
  const right = sideLengths[1] ?? 0;
  if (left === 0 || right === 0) return;
  const middle = sideEnds[0] ?? 0;
  const end = sideEnds[1] ?? 0;
  const isLeft = left <= right;
  const [from, to] = isLeft ? [0, middle] : [middle, end];
  const [otherFrom, otherTo] = isLeft ? [middle, end] : [0, middle];
  found.mark = startEpoch(found.marks);
  found.markedCount = 0;
  for (let list = from; list < to; list++) markList(lists, list, found);
  for (let list = otherFrom; list < otherTo; list++) {
    const bits = lists.bits[list] ?? null;
    if (bits === null) matchList(lists, list, found);
    else matchMarked(found, bits, lists.items[list] ?? 0);
  }
  if (found.pairCount === 0) return;
  for (let list = from; list < to; list++) collectList(lists, list, found);
}

/** Counts the sides that each holder is on; `atLeast` of them are a conflict. */
function findKOfN(
  lists: PolicyHolders,
  found: FinderMemory,
  {
    sideCount,
    atLeast,
    holderCount,
  }: { readonly sideCount: number; readonly atLeast: number; readonly holderCount: number },
): void {
  found.sidesHeld.fill(0, 0, holderCount);
  const inConflict: number[] = [];
  for (let side = 0, list = 0; side < sideCount; side++) {
    found.mark = startEpoch(found.marks);
    for (const end = lists.sideEnds[side] ?? 0; list < end; list++)
      countList(lists, list, { found, atLeast, inConflict });
  }
  if (inConflict.length === 0) return;
  found.mark = startEpoch(found.marks);
  for (const holder of inConflict) found.marks.bytes[holder] = found.mark + 1;
  for (let list = 0; list < lists.items.length; list++) collectList(lists, list, found);
}

// The following loops run for each holder of each item of each policy: they contain nothing that could be elsewhere.

function markList({ holders, starts, ends }: PolicyHolders, list: number, found: FinderMemory): void {
  const { mark, marked } = found;
  const { bytes } = found.marks;
  const numbers = holders[list] ?? NO_HOLDERS;
  const end = ends[list] ?? 0;
  let count = found.markedCount;
  for (let at = starts[list] ?? 0; at < end; at++) {
    const holder = numbers[at] ?? 0;
    if (bytes[holder] === mark) continue;
    bytes[holder] = mark;
    marked[count++] = holder;
  }
  found.markedCount = count;
}

const NO_HOLDERS = new Uint32Array();

/** Marked holders of the list are in conflict: marks that and adds the item of the list. */
function matchList({ holders, starts, ends, items }: PolicyHolders, list: number, found: FinderMemory): void {
  const { mark } = found;
  const { bytes } = found.marks;
  const numbers = holders[list] ?? NO_HOLDERS;
  const end = ends[list] ?? 0;
  for (let at = starts[list] ?? 0; at < end; at++) {
    const holder = numbers[at] ?? 0;
    if ((bytes[holder] ?? 0) < mark) continue;
    bytes[holder] = mark + 1;
    addPair(found, holder, items[list] ?? 0);
  }
}

/** Does the same through the marked holders, when they are fewer than the holders of the item. */
function matchMarked(found: FinderMemory, bits: Uint32Array, item: number): void {
  const { mark, marked, markedCount } = found;
  const { bytes } = found.marks;
  for (let at = 0; at < markedCount; at++) {
    const holder = marked[at] ?? 0;
    if ((((bits[holder >>> 5] ?? 0) >>> (holder & 31)) & 1) === 0) continue;
    bytes[holder] = mark + 1;
    addPair(found, holder, item);
  }
}

/** Adds the item of the list for each of its holders in conflict. */
function collectList({ holders, starts, ends, items }: PolicyHolders, list: number, found: FinderMemory): void {
  const inConflict = found.mark + 1;
  const { bytes } = found.marks;
  const numbers = holders[list] ?? NO_HOLDERS;
  const end = ends[list] ?? 0;
  for (let at = starts[list] ?? 0; at < end; at++) {
    const holder = numbers[at] ?? 0;
    if (bytes[holder] === inConflict) addPair(found, holder, items[list] ?? 0);
  }
}

function countList(
  { holders, starts, ends }: PolicyHolders,
  list: number,
  {
    found,
    atLeast,
    inConflict,
  }: { readonly found: FinderMemory; readonly atLeast: number; readonly inConflict: number[] },
): void {
  const { mark, sidesHeld } = found;
  const { bytes } = found.marks;
  const numbers = holders[list] ?? NO_HOLDERS;
  const end = ends[list] ?? 0;
  for (let at = starts[list] ?? 0; at < end; at++) {
    const holder = numbers[at] ?? 0;
    if (bytes[holder] === mark) continue;
    bytes[holder] = mark;
    const sides = (sidesHeld[holder] ?? 0) + 1;
    sidesHeld[holder] = sides;
    if (sides === atLeast) inConflict.push(holder);
  }
}

function addPair(found: FinderMemory, holder: number, item: number): void {
  if (found.pairCount === found.pairs.length)
    found.pairs = growInto(found.pairs, new Float64Array(found.pairCount * 2));
  found.pairs[found.pairCount++] = holder * HOLDER + item;
}

function takeConflicts(found: FinderMemory): readonly HeldConflict[] {
  const pairs = found.pairs.subarray(0, found.pairCount).sort();
  const conflicts: HeldConflict[] = [];
  let holder: number = -1;
  let items: number[] = [];
  for (const pair of pairs) {
    const next = Math.floor(pair / HOLDER);
    const item = pair - next * HOLDER;
    if (next !== holder) {
      [holder, items] = [next, []];
      conflicts.push({ holder, items });
    }
    const last = items.at(-1);
    // An item held several times, or held and gained, counts once; as held it sorts last.
    if (last !== undefined && last >>> 1 === item >>> 1) items.pop();
    items.push(item);
  }
  return conflicts;
}
