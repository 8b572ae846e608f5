import { countBefore } from '../../basics/order/count-before.ts';
import { SOD_POLICY_SIDES_MAX } from '../../policies/model.ts';
import type { Rows } from '../collections/rows.ts';
import { addBits, isOn, isViolated, violatedWords } from '../evaluation/timeline.ts';
import type { PolicySides } from '../rulebook/policy-table.ts';
import type { AssignmentIndex } from './assignment-index.ts';
import { itemCode, placeOfItem } from './item-code.ts';

/** Entitlements that some holders gain, by numbers. */
export interface Gain {
  readonly entitlements: ReadonlySet<number>;
  /** Ascending, each once. */
  readonly holders: Uint32Array;
}

/** The assignments of a population, and the refs that give each entitlement. */
export interface HeldAccessLists {
  readonly holdings: AssignmentIndex;
  readonly grantingRefs: Rows;
}

/** The violation of a policy by one holder. */
export interface HeldConflict {
  readonly holder: number;
  /** The codes of its items, ascending. */
  readonly items: readonly number[];
}

/** Finds the holders that violate a policy, for one policy after the other. For one thread. */
export interface ConflictFinder {
  /**
   * The violations of the current batch of holders, in order of the holders. A batch ends early where it would take long.
   * `withGain` counts what is gained as held.
   */
  find(sides: PolicySides, withGain?: boolean): readonly HeldConflict[];
  /** The end of the current batch, exclusive. A search can shorten the batch that an earlier search of it has used. */
  readonly end: number;
  /** Moves on to the next batch; after the last one it returns false and starts over with all holders. */
  nextBatch(): boolean;
}

/** Scratch memory of a finder. Several finders may share it if they do not run at the same time. */
export interface FinderMemory {
  /** The most holders of single items in one batch. */
  readonly lengthMax: number;
  /** The words of each side, with a bit for each holder that has an item of it. */
  sidesHeld: Uint32Array;
  /** A bit for each holder in conflict. */
  inConflict: Uint32Array;
  /** The items of the holders in conflict: the holder, times `HOLDER`, plus the item. */
  readonly pairs: number[];
  pairCount: number;
}

const HOLDER = 2 ** 20;

// Takes some tens of milliseconds where all holders are in conflict.
const LENGTH_MAX = 250_000;

/** Empty memory, which grows with the population that it is used for. */
export const createFinderMemory = (lengthMax = LENGTH_MAX): FinderMemory => ({
  lengthMax,
  sidesHeld: new Uint32Array(),
  inConflict: new Uint32Array(),
  pairs: [],
  pairCount: 0,
});

/** The holders of an item by one ref, or by a gain. */
interface HolderList {
  readonly side: number;
  /** The code of the item. */
  readonly item: number;
  readonly holders: Uint32Array;
  readonly from: number;
  readonly end: number;
  /** A bit for each holder of the whole population; null for a list of few. */
  readonly bits: Uint32Array | null;
}

/** The batches of a finder, one after the other: within the loop over them it finds violations of the current one. */
export function* holderBatches(finder: ConflictFinder): Generator<ConflictFinder, void, void> {
  do yield finder;
  while (finder.nextBatch());
}

/** Creates a finder that evaluates a policy for all holders at once, 32 in a word, from the holders of its items. */
export function createConflictFinder(
  held: HeldAccessLists,
  gain: Gain | null = null,
  memory = createFinderMemory(),
): ConflictFinder {
  const { holderCount } = held.holdings;
  const words = Math.ceil(holderCount / 32);
  if (memory.inConflict.length < words) {
    memory.inConflict = new Uint32Array(words);
    memory.sidesHeld = new Uint32Array(words * SOD_POLICY_SIDES_MAX);
  }
  let from = 0;
  let end = holderCount;
  const gather = (sides: PolicySides, withGain: boolean): readonly HolderList[] => {
    const all = listsOf(sides, held, withGain ? gain : null);
    const lists = end - from < holderCount ? narrow(all, { from, end }) : all;
    const length = lists.reduce((sum, list) => sum + list.end - list.from, 0);
    if (length <= memory.lengthMax) return lists;
    end = from + Math.max(1, Math.floor(((end - from) * memory.lengthMax) / length));
    return narrow(lists, { from, end });
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
      const lists = gather(sides, withGain);
      const range = { from: from >>> 5, end: Math.ceil(end / 32) };
      const inConflict = findConflicts(memory, sides, { lists, words, range });
      if (inConflict === null) return NO_CONFLICTS;
      memory.pairCount = 0;
      for (const list of lists) collectPairs(memory, list, inConflict);
      return takeConflicts(memory);
    },
  };
}

const NO_CONFLICTS: readonly HeldConflict[] = [];

/** The holders of the items of a policy, side after side. */
function listsOf(
  { rows, first, sideCount }: PolicySides,
  { holdings: { holders, bits }, grantingRefs }: HeldAccessLists,
  gain: Gain | null,
): HolderList[] {
  const lists: HolderList[] = [];
  let place = 0;
  for (let side = 0; side < sideCount; side++) {
    const end = rows.starts[first + side + 1] ?? 0;
    for (let at = rows.starts[first + side] ?? 0; at < end; at++, place++) {
      const entitlement = rows.values[at] ?? 0;
      const refsEnd = grantingRefs.starts[entitlement + 1] ?? 0;
      for (let by = grantingRefs.starts[entitlement] ?? 0; by < refsEnd; by++) {
        const ref = grantingRefs.values[by] ?? 0;
        const list = { from: holders.starts[ref] ?? 0, end: holders.starts[ref + 1] ?? 0, bits: bits.get(ref) ?? null };
        if (list.from < list.end) lists.push({ side, item: itemCode(place, true), holders: holders.values, ...list });
      }
      if (gain?.entitlements.has(entitlement) === true) {
        const { holders: gaining } = gain;
        lists.push({ side, item: itemCode(place, false), holders: gaining, from: 0, end: gaining.length, bits: null });
      }
    }
  }
  return lists;
}

interface Range {
  readonly from: number;
  readonly end: number;
}

/** Restricts lists to the holders of a range. */
const narrow = (lists: readonly HolderList[], range: Range): readonly HolderList[] =>
  lists.map((list) => {
    const { holders } = list;
    const placeOf = (holder: number) => countBefore(list.end, (at) => (holders[at] ?? 0) < holder, list.from);
    // Bits are of the whole population.
    return { ...list, from: placeOf(range.from), end: placeOf(range.end), bits: null };
  });

/** The words of the holders that violate a policy; null if there are none. */
function findConflicts(
  { sidesHeld, inConflict }: FinderMemory,
  { sideCount, atLeast }: Pick<PolicySides, 'sideCount' | 'atLeast'>,
  { lists, words, range }: { readonly lists: readonly HolderList[]; readonly words: number; readonly range: Range },
): Uint32Array | null {
  const sides = Array.from({ length: sideCount }, (_, side) => sidesHeld.subarray(side * words, (side + 1) * words));
  const isHeld = sides.map(() => false);
  for (const { side } of lists) isHeld[side] = true;
  if (!isViolated({ sideCount, atLeast }, (side) => isHeld[side] === true)) return null;
  for (const side of sides) side.fill(0, range.from, range.end);
  for (const { side, holders, from, end, bits } of lists) {
    const held = sides[side] ?? sidesHeld;
    if (bits === null) addHolders(held, holders, from, end);
    else addBits(held, bits);
  }
  const ofRange = sides.map((side) => side.subarray(range.from, range.end));
  const found = violatedWords(atLeast, ofRange, inConflict.subarray(range.from, range.end));
  return found === null ? null : inConflict;
}

function addHolders(to: Uint32Array, holders: Uint32Array, from: number, end: number): void {
  for (let at = from; at < end; at++) {
    const holder = holders[at] ?? 0;
    to[holder >>> 5] = (to[holder >>> 5] ?? 0) | (1 << (holder & 31));
  }
}

function collectPairs(memory: FinderMemory, { item, holders, from, end }: HolderList, inConflict: Uint32Array): void {
  for (let at = from; at < end; at++) {
    const holder = holders[at] ?? 0;
    if (isOn(inConflict, holder)) memory.pairs[memory.pairCount++] = holder * HOLDER + item;
  }
}

function takeConflicts({ pairs, pairCount }: FinderMemory): readonly HeldConflict[] {
  const conflicts: HeldConflict[] = [];
  let holder: number = -1;
  let items: number[] = [];
  for (const pair of Float64Array.from(pairs.slice(0, pairCount)).sort()) {
    const next = Math.floor(pair / HOLDER);
    const item = pair - next * HOLDER;
    if (next !== holder) {
      [holder, items] = [next, []];
      conflicts.push({ holder, items });
    }
    const last = items.at(-1);
    // An item held several times, or held and gained, counts once; as held it sorts last.
    if (last !== undefined && placeOfItem(last) === placeOfItem(item)) items.pop();
    items.push(item);
  }
  return conflicts;
}
