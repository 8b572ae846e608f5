import { createEpochSet, type EpochSet, startEpoch } from '../collections/epoch-set.ts';
import { idCount } from '../collections/id-dictionary.ts';
import type { SodCatalogue } from '../rulebook/catalogue.ts';

/** The scratch memory for questions on the indexes of one catalogue. It serves one question at a time. */
export interface Evaluator {
  /** Marks of entitlements. */
  readonly entitlements: EpochSet;
  /** Marks of sides, at least as many as the current table has. */
  sides: EpochSet;
  /** For each entitlement its number among those that a question is about, 0 for all others. Empty until it is needed. */
  slots: Uint32Array;
  isTaken: boolean;
}

// One for each catalogue: creating one for each question would take longer than most answers.
const evaluators = new WeakMap<SodCatalogue, Evaluator>();

/** Creates an evaluator for so many entitlements, taken already. */
export const createEvaluator = (entitlementCount: number): Evaluator => ({
  entitlements: createEpochSet(entitlementCount),
  sides: createEpochSet(0),
  slots: new Uint32Array(),
  isTaken: true,
});

/**
 * Acquires the evaluator of a catalogue, or a new one while that is in use. An evaluator that is never released, as when a
 * question is abandoned, is replaced by the next one.
 */
export function takeEvaluator(catalogue: SodCatalogue): Evaluator {
  const known = evaluators.get(catalogue);
  if (known !== undefined && !known.isTaken) {
    known.isTaken = true;
    return known;
  }
  const evaluator = createEvaluator(idCount(catalogue.numbers.ids));
  evaluators.set(catalogue, evaluator);
  return evaluator;
}

/** Releases an evaluator. Its marks must not be read afterwards, and all its slots must be 0. */
export function releaseEvaluator(evaluator: Evaluator): void {
  evaluator.isTaken = false;
}

/** Begins an epoch of marks for `sideCount` sides; returns its lower mark. */
export function startSides(evaluator: Evaluator, sideCount: number): number {
  if (evaluator.sides.bytes.length < sideCount) evaluator.sides = createEpochSet(sideCount);
  return startEpoch(evaluator.sides);
}

/** Access of an identity as marks of entitlements: `heldMark` if held, its successor if gained, a lower mark otherwise. */
export interface MarkedAccess {
  readonly marks: Uint8Array;
  readonly heldMark: number;
}

/** Begins an epoch of marks for access. */
export const startAccess = ({ entitlements }: Evaluator): MarkedAccess => ({
  heldMark: startEpoch(entitlements),
  marks: entitlements.bytes,
});
