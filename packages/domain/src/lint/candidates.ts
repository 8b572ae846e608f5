import { type CsrRows, rowAt } from '../collections/csr-rows.ts';
import { invertRows } from '../collections/invert-rows.ts';
import { isPauseDue, type Steps, type WorkBudget } from '../steps/work-budget.ts';
import { LIGHT } from './rulebook.ts';
import type { ComparedPolicies, ComparedPolicy } from './subsumption.ts';

/** Which policies need a look. */
export interface Candidates {
  /** The places of policies, itself among them, that may be as wide as this one, in order and each once, in steps. */
  readonly of: (policy: ComparedPolicy, budget: WorkBudget) => Steps<readonly number[] | Uint32Array>;
}

/** The policies of each item, and, where these are many, a bit for each policy, which takes no more room. */
interface Holders {
  readonly byItem: CsrRows;
  readonly bits: ReadonlyMap<number, Uint32Array>;
  readonly wordCount: number;
}

/** Prepares the search, in steps. */
export function* createCandidates(
  { items }: ComparedPolicies,
  { itemEnd, budget }: { readonly itemEnd: number; readonly budget: WorkBudget },
): Steps<Candidates> {
  const byItem = yield* invertRows(items, { valueEnd: itemEnd, flip: 0, budget });
  const wordCount = Math.ceil((items.starts.length - 1) / WORD);
  const bits = new Map<number, Uint32Array>();
  for (let item = 0; item < itemEnd; item++) {
    const count = (byItem.starts[item + 1] ?? 0) - (byItem.starts[item] ?? 0);
    if (count > wordCount) bits.set(item, bitsOf(rowAt(byItem, item), wordCount));
    if (isPauseDue(budget, (1 + count) / LIGHT)) yield;
  }
  return { of: (policy, steps) => findCandidates(policy, { byItem, bits, wordCount }, steps) };
}

const WORD = 32;

function bitsOf(holders: Uint32Array, wordCount: number): Uint32Array {
  const words = new Uint32Array(wordCount);
  for (let at = 0; at < holders.length; at++) {
    const place = holders[at] ?? 0;
    words[place >>> 5] = (words[place >>> 5] ?? 0) | (1 << (place & 31));
  }
  return words;
}

/**
 * Whatever is as wide as a policy that takes `atLeast` sides has all the items of all its sides but for `atLeast - 1`: of
 * any `atLeast` sides it has one whole. The sides chosen are those that the fewest may have.
 */
function* findCandidates(
  { sides, atLeast }: ComparedPolicy,
  holders: Holders,
  budget: WorkBudget,
): Steps<readonly number[]> {
  const found: (readonly number[] | Uint32Array)[] = [];
  for (const side of sides) {
    const rarest = rarestOf(side, holders.byItem);
    const hasBits = rarest.length > holders.wordCount;
    found.push(hasBits ? haveAll(side, holders) : rarest);
    if (isPauseDue(budget, 1 + (hasBits ? (side.length * holders.wordCount) / (4 * LIGHT) : side.length / LIGHT)))
      yield;
  }
  const few = found.sort((a, b) => a.length - b.length).slice(0, atLeast);
  const all = new Set<number>();
  for (const places of few) {
    for (const place of places) all.add(place);
    if (isPauseDue(budget, places.length / 2)) yield;
  }
  return [...all].sort(ascending);
}

const ascending = (a: number, b: number) => a - b;

function rarestOf(side: Uint32Array, byItem: CsrRows): Uint32Array {
  let found = rowAt(byItem, side[0] ?? 0);
  for (const item of side) {
    const count = (byItem.starts[item + 1] ?? 0) - (byItem.starts[item] ?? 0);
    if (count < found.length) found = rowAt(byItem, item);
  }
  return found;
}

/** The policies that have all items of a side, each of which has its bits. */
function haveAll(side: Uint32Array, { bits, wordCount }: Holders): readonly number[] {
  const words = new Uint32Array(wordCount).fill(0xffffffff);
  for (const item of side) {
    const others = bits.get(item);
    if (others !== undefined) for (let at = 0; at < wordCount; at++) words[at] = (words[at] ?? 0) & (others[at] ?? 0);
  }
  const places: number[] = [];
  for (let at = 0; at < wordCount; at++) {
    // From the lowest bit up.
    for (let word = words[at] ?? 0; word !== 0; word &= word - 1)
      places.push(at * WORD + 31 - Math.clz32(word & -word));
  }
  return places;
}
