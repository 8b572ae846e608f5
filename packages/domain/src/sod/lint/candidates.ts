import { addRow, createRowWriter, invertRows, type Rows, rowAt, rowsOf } from '../collections/rows.ts';
import { PAUSE, type Pieces } from './pieces.ts';
import type { LintedPolicy } from './rulebook.ts';

/** Returns the places of all policies that may subsume this one, itself included, ascending and unique. */
export type FindCandidates = (policy: LintedPolicy) => readonly number[];

/** Prepares the search for policies that subsume another one; a place is an index in the list of policies. A piece is a policy. */
export function* createCandidates(policies: readonly LintedPolicy[], itemEnd: number): Pieces<FindCandidates> {
  const items = createRowWriter();
  for (const { sides } of policies) {
    addRow(items, sides.flat());
    yield PAUSE;
  }
  const byItem = invertRows(rowsOf(items), itemEnd);
  return (policy) => findCandidates(policy, byItem);
}

/**
 * A policy that subsumes another one with `atLeast` has all its items except those of `atLeast - 1` sides: of any `atLeast`
 * sides it has one completely. The sides with the fewest candidates are chosen.
 */
function findCandidates({ sides, atLeast }: LintedPolicy, byItem: Rows): readonly number[] {
  const found = sides.map((side) => withAllItems(side, byItem));
  const fewest = found.sort((a, b) => a.length - b.length).slice(0, atLeast);
  return [...new Set(fewest.flat())].sort((a, b) => a - b);
}

/** The policies that have all items of a side. */
function withAllItems(side: readonly number[], byItem: Rows): readonly number[] {
  const [rarest = [], ...others] = side.map((item) => rowAt(byItem, item)).sort((a, b) => a.length - b.length);
  let places = Array.from(rarest);
  // Below this, comparing policies is as fast.
  for (const other of others) {
    if (places.length < FEW) break;
    const has = new Set(other);
    places = places.filter((place) => has.has(place));
  }
  return places;
}

const FEW = 32;
