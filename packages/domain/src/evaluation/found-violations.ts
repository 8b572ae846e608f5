import { type Evaluator, type MarkedAccess, releaseEvaluator, startAccess } from './evaluator.ts';
import { NOT_SHOWN, type TemporalViolation } from './temporal-violation.ts';

/** The violations found, each addressed by its place, sorted by policy id in code-unit order. */
export interface FoundViolations {
  /** The violated policies, as numbers of the index. */
  readonly policies: readonly number[];
  /** The only instant of the question, or the first one: milliseconds since 1970. */
  readonly ms: number;
  /** What is held and gained at the only instant. */
  readonly access: MarkedAccess;
  readonly evaluator: Evaluator;
  /** Null where only one instant counts. */
  readonly temporal: TemporalViolations | null;
}

/** Violations over time. */
export interface TemporalViolations {
  /** When each interval of the question begins, in milliseconds since 1970. */
  readonly starts: Float64Array;
  readonly violations: readonly TemporalViolation[];
}

/** The items to show, marked as held if they are held in the first interval of the violation. Valid until the next call. */
export const accessAt = ({ access, evaluator, temporal }: FoundViolations, place: number): MarkedAccess =>
  temporal === null ? access : markShown(evaluator, temporal.violations[place]);

/** Whether held access alone violates the policy at any time that counts; null where the items marked as held show it. */
export const isPreexisting = ({ temporal }: FoundViolations, place: number): boolean | null =>
  temporal === null ? null : temporal.violations[place]?.isPreexisting === true;

/** When each interval of the question begins, in milliseconds since 1970. */
export const startsOf = ({ ms, temporal }: FoundViolations): Float64Array => temporal?.starts ?? Float64Array.of(ms);

/** The intervals with the violation, ascending: the first one of each run and the one after its last. The search has to keep them. */
export function runsAt({ temporal }: FoundViolations, place: number): readonly number[] {
  if (temporal === null) return ONLY_INTERVAL;
  const runs = temporal.violations[place]?.runs ?? null;
  if (runs === null) throw new Error('The search has not kept the intervals.');
  return runs;
}

const ONLY_INTERVAL = [0, 1];

/** Releases the memory for the next question; the violations must not be read afterwards. Optional. */
export const releaseViolations = ({ evaluator }: FoundViolations): void => releaseEvaluator(evaluator);

function markShown(evaluator: Evaluator, violation: TemporalViolation | undefined): MarkedAccess {
  const access = startAccess(evaluator);
  if (violation === undefined) return access;
  const { rows, first, shown } = violation;
  const start = rows.starts[first] ?? 0;
  shown.forEach((state, item) => {
    // The states of an item are in the order of the marks of held and gained ones.
    if (state !== NOT_SHOWN) access.marks[rows.values[start + item] ?? 0] = access.heldMark - 1 + state;
  });
  return access;
}
