import { bitsOf } from '../collections/bits.ts';
import { type CsrRows, rowAt } from '../collections/csr-rows.ts';
import { invertRows } from '../collections/invert-rows.ts';
import type { ComparedPolicies, ComparedPolicy } from './subsumption.ts';

/** Returns the places of all policies that may subsume this one, itself included, ascending and unique. */
export type FindCandidates = (policy: ComparedPolicy) => readonly number[];

interface PoliciesByItem {
  readonly byItem: CsrRows;
  /** Bit sets of policies, for items in many policies: they need no more memory than rows. */
  readonly bits: ReadonlyMap<number, Uint32Array>;
  readonly wordCount: number;
}

/** Prepares the search for policies that subsume another one. */
export function createCandidates({ items }: ComparedPolicies, itemEnd: number): FindCandidates {
  const byItem = invertRows(items, { valueEnd: itemEnd });
  const placeCount = items.starts.length - 1;
  const wordCount = Math.ceil(placeCount / WORD);
  const bits = new Map<number, Uint32Array>();
  for (let item = 0; item < itemEnd; item++) {
    const count = (byItem.starts[item + 1] ?? 0) - (byItem.starts[item] ?? 0);
    if (count > wordCount) bits.set(item, bitsOf(rowAt(byItem, item), placeCount));
  }
  return (policy) => findCandidates(policy, { byItem, bits, wordCount });
}

const WORD = 32;

/**
 * A policy that subsumes another one with `atLeast` has all its items except those of `atLeast - 1` sides: of any `atLeast`
 * sides it has one completely. The sides with the fewest candidates are chosen.
 */
function findCandidates({ sides, atLeast }: ComparedPolicy, policies: PoliciesByItem): readonly number[] {
  const { byItem, wordCount } = policies;
  const found = sides.map((side) => {
    const rarest = rarestOf(side, byItem);
    return rarest.length > wordCount ? withAllItems(side, policies) : rarest;
  });
  const fewest = found.sort((a, b) => a.length - b.length).slice(0, atLeast);
  const all = new Set<number>();
  for (const places of fewest) for (const place of places) all.add(place);
  return [...all].sort((a, b) => a - b);
}

/** The policies of the item that the fewest policies have. */
function rarestOf(side: Uint32Array, byItem: CsrRows): Uint32Array {
  let found = rowAt(byItem, side[0] ?? 0);
  for (const item of side) {
    const count = (byItem.starts[item + 1] ?? 0) - (byItem.starts[item] ?? 0);
    if (count < found.length) found = rowAt(byItem, item);
  }
  return found;
}

/** The policies that have all items of a side, each of which has bits. */
function withAllItems(side: Uint32Array, { bits, wordCount }: PoliciesByItem): readonly number[] {
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
