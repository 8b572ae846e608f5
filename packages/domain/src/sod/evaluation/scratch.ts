import { createEpochSet, type EpochSet, startEpoch } from '../collections/epoch-set.ts';
import { idCount } from '../collections/id-dictionary.ts';
import type { SodCatalogue } from '../rulebook/catalogue.ts';

/** The scratch memory of searches in the indexes of one catalogue. It is read and written within one synchronous search only. */
export interface Scratch {
  /** Marks of entitlements. */
  readonly entitlements: EpochSet;
  /** Marks of sides, at least as many as the current table has. */
  sides: EpochSet;
}

// One for each catalogue: creating one for each search would take longer than most searches.
const scratches = new WeakMap<SodCatalogue, Scratch>();

/** The scratch memory of a catalogue. */
export function scratchOf(catalogue: SodCatalogue): Scratch {
  const known = scratches.get(catalogue);
  if (known !== undefined) return known;
  const scratch = { entitlements: createEpochSet(idCount(catalogue.numbers.ids)), sides: createEpochSet(0) };
  scratches.set(catalogue, scratch);
  return scratch;
}

/** Begins an epoch of marks for `sideCount` sides; returns its lower mark. */
export function startSides(scratch: Scratch, sideCount: number): number {
  if (scratch.sides.bytes.length < sideCount) scratch.sides = createEpochSet(sideCount);
  return startEpoch(scratch.sides, 2);
}

/** Access of an identity as marks of entitlements: `heldMark` if held, its successor if gained, a lower mark otherwise. */
export interface MarkedAccess {
  readonly marks: Uint8Array;
  readonly heldMark: number;
}

/** Begins an epoch of marks for access. */
export const startAccess = ({ entitlements }: Scratch): MarkedAccess => ({
  heldMark: startEpoch(entitlements, 2),
  marks: entitlements.bytes,
});
