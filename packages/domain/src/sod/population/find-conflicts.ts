import { createEpochSet, type EpochSet, startEpoch } from '../collections/epoch-set.ts';
import { growInto } from '../collections/grow.ts';
import type { PolicySides } from '../rulebook/policy-table.ts';
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
  find(sides: PolicySides, withGain?: boolean): readonly HeldConflict[];
  /** The end of the current batch, exclusive. A search can shorten the batch that an earlier search of it has used. */
  readonly end: number;
  /** Moves on to the next batch; after the last one it returns false and starts over with all holders. */
  nextBatch(): boolean;
}

/** Creates a finder that evaluates a policy for all holders at once, from the holders of its items. */
export function createConflictFinder(
  held: HeldAccessLists,
  gain: Gain | null = null,
  memory = createFinderMemory(),
): ConflictFinder {
  const lists = createPolicyHolders();
  const { holderCount } = held.holdings;
  makeRoom(memory, holderCount);
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
    find: (sides, withGain = false) => {
      gather(sides, withGain);
      findConflicts(lists, memory, sides);
      return memory.pairCount === 0 ? NO_CONFLICTS : takeConflicts(memory);
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
  /** One mark per holder: that of the last side that it was found on, by which it is counted once for each. */
  marks: EpochSet;
  /** The number of sides that each marked holder is on. */
  sidesHeld: Uint8Array;
  /** The holders that may be in conflict, each once, and those that are. */
  marked: Uint32Array;
  markedCount: number;
  inConflict: Uint32Array;
  conflictCount: number;
  /** The items of the holders in conflict: the holder, times `HOLDER`, plus the item. */
  pairs: Float64Array;
  pairCount: number;
}

const HOLDER = 2 ** 20;

/** Empty memory, which grows with the population that it is used for. */
export const createFinderMemory = (lengthMax = LENGTH_MAX): FinderMemory => ({
  lengthMax,
  marks: createEpochSet(0),
  sidesHeld: new Uint8Array(),
  marked: new Uint32Array(),
  markedCount: 0,
  inConflict: new Uint32Array(),
  conflictCount: 0,
  pairs: new Float64Array(256),
  pairCount: 0,
});

function makeRoom(memory: FinderMemory, holderCount: number): void {
  if (memory.sidesHeld.length >= holderCount) return;
  memory.marks = createEpochSet(holderCount);
  memory.sidesHeld = new Uint8Array(holderCount);
  memory.marked = new Uint32Array(holderCount);
  memory.inConflict = new Uint32Array(holderCount);
}

/**
 * Counts the sides of each holder, the smallest side first; `atLeast` sides make a conflict. A holder on none of the first
 * `n - k + 1` sides cannot reach that number, so the large sides are searched for few holders.
 */
function findConflicts(
  lists: PolicyHolders,
  memory: FinderMemory,
  { sideCount, atLeast }: Pick<PolicySides, 'sideCount' | 'atLeast'>,
): void {
  const { sideEnds, sideLengths } = lists;
  const lowest = startEpoch(memory.marks, sideCount + 1);
  memory.markedCount = 0;
  memory.conflictCount = 0;
  memory.pairCount = 0;
  const order = orderBySize(sideLengths, sideCount);
  for (let at = 0; at < sideCount; at++) {
    const opens = at <= sideCount - atLeast;
    if (!opens && memory.markedCount === 0) return;
    const side = order[at] ?? 0;
    const count = { lowest, mark: lowest + at, opens, atLeast, isLast: at === sideCount - 1 };
    const end = sideEnds[side] ?? 0;
    for (let list = side === 0 ? 0 : (sideEnds[side - 1] ?? 0); list < end; list++)
      countList(lists, list, memory, count);
  }
  if (memory.conflictCount === 0) return;
  const mark = lowest + sideCount;
  for (let at = 0; at < memory.conflictCount; at++) memory.marks.bytes[memory.inConflict[at] ?? 0] = mark;
  const last = order[sideCount - 1];
  for (let side = 0, list = 0; side < sideCount; side++) {
    const end = sideEnds[side] ?? 0;
    if (side === last) list = end;
    for (; list < end; list++) collectList(lists, list, memory, mark);
  }
}

function orderBySize(lengths: readonly number[], count: number): readonly number[] {
  if (count === 2) return (lengths[0] ?? 0) <= (lengths[1] ?? 0) ? ASCENDING : DESCENDING;
  return Array.from({ length: count }, (_, side) => side).sort((a, b) => (lengths[a] ?? 0) - (lengths[b] ?? 0));
}

const ASCENDING = [0, 1];
const DESCENDING = [1, 0];

interface SideCount {
  /** The least mark of the policy. */
  readonly lowest: number;
  /** The mark of the side. */
  readonly mark: number;
  /** Whether holders on none of the sides before count. */
  readonly opens: boolean;
  readonly atLeast: number;
  /** On the last side it is known which holders are in conflict. */
  readonly isLast: boolean;
}

// The following loops run for each holder of each item of each policy: they contain nothing that could be elsewhere.

function countList(
  { holders, starts, ends, bits: allBits, items }: PolicyHolders,
  list: number,
  memory: FinderMemory,
  count: SideCount,
): void {
  const { bytes } = memory.marks;
  const { lowest, opens } = count;
  const item = items[list] ?? 0;
  const end = ends[list] ?? 0;
  let at = starts[list] ?? 0;
  const bits = opens || end - at < memory.markedCount ? null : (allBits[list] ?? null);
  if (bits !== null) {
    countMarked(memory, bits, item, count);
    return;
  }
  const numbers = holders[list] ?? NO_HOLDERS;
  if (opens) for (; at < end; at++) countHolder(memory, numbers[at] ?? 0, item, count);
  else
    for (; at < end; at++) {
      const holder = numbers[at] ?? 0;
      if ((bytes[holder] ?? 0) >= lowest) countHolder(memory, holder, item, count);
    }
}

const NO_HOLDERS = new Uint32Array();

/** Counts the marked holders of an item that many hold. */
function countMarked(memory: FinderMemory, bits: Uint32Array, item: number, count: SideCount): void {
  const { marked, markedCount } = memory;
  for (let at = 0; at < markedCount; at++) {
    const holder = marked[at] ?? 0;
    if ((((bits[holder >>> 5] ?? 0) >>> (holder & 31)) & 1) === 1) countHolder(memory, holder, item, count);
  }
}

function countHolder(
  memory: FinderMemory,
  holder: number,
  item: number,
  { lowest, mark, atLeast, isLast }: SideCount,
): void {
  const { sidesHeld, marks } = memory;
  const { bytes } = marks;
  const last = bytes[holder] ?? 0;
  if (last < lowest) {
    memory.marked[memory.markedCount++] = holder;
    sidesHeld[holder] = 0;
  }
  if (last !== mark) {
    bytes[holder] = mark;
    const sides = (sidesHeld[holder] ?? 0) + 1;
    sidesHeld[holder] = sides;
    if (sides === atLeast) memory.inConflict[memory.conflictCount++] = holder;
  }
  if (isLast && (sidesHeld[holder] ?? 0) >= atLeast) addPair(memory, holder, item);
}

/** Adds the item of the list for each of its holders in conflict. */
function collectList(
  { holders, starts, ends, items }: PolicyHolders,
  list: number,
  memory: FinderMemory,
  mark: number,
): void {
  const { bytes } = memory.marks;
  const numbers = holders[list] ?? NO_HOLDERS;
  const end = ends[list] ?? 0;
  for (let at = starts[list] ?? 0; at < end; at++) {
    const holder = numbers[at] ?? 0;
    if (bytes[holder] === mark) addPair(memory, holder, items[list] ?? 0);
  }
}

function addPair(memory: FinderMemory, holder: number, item: number): void {
  if (memory.pairCount === memory.pairs.length)
    memory.pairs = growInto(memory.pairs, new Float64Array(memory.pairCount * 2));
  memory.pairs[memory.pairCount++] = holder * HOLDER + item;
}

function takeConflicts(memory: FinderMemory): readonly HeldConflict[] {
  const pairs = memory.pairs.subarray(0, memory.pairCount).sort();
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
