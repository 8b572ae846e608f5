import type { MarkedAccess } from './evaluator.ts';

/** The violations found, each addressed by its place, sorted by policy id in code-unit order. */
export interface FoundViolations {
  /** The violated policies, as numbers of the index. */
  readonly policies: readonly number[];
  /** The items to show, marked as held if they are held in the first interval of the violation. Valid until the next call. */
  accessAt(place: number): MarkedAccess;
  /** Whether held access alone violates the policy at any time that counts; null where the items marked as held show it. */
  isPreexisting(place: number): boolean | null;
  /** When each interval of the question begins, in milliseconds since 1970. */
  starts(): Float64Array;
  /** The intervals with the violation, ascending: the first one of each run and the one after its last. */
  runsAt(place: number): readonly number[];
  /** Releases the memory for the next question; the violations must not be read afterwards. Optional. */
  release(): void;
}
