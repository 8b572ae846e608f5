import type { SodIndex } from '../rulebook/sod-index.ts';
import { findAtInstant } from './find-at-instant.ts';
import { findOverTime } from './find-over-time.ts';
import type { Question } from './question.ts';
import { type Violation, violationAtInstant, violationBeyond } from './violation.ts';

/** What is to be known of violations. */
export interface ViolationDetail {
  /** The items of the first violations are looked up, up to this many. */
  readonly shownMax: number;
  /** Whether violations have their `runs`. */
  readonly keepsRuns: boolean;
}

/** What a request would violate, in numbers. */
export interface FoundViolations {
  /** When each interval begins in which access does not change, in milliseconds since 1970: one, unless windows count. */
  readonly starts: ArrayLike<number>;
  /**
   * The violations in order of policy ids; null for a policy that turns out not to be violated. Where windows count, each is
   * found when it is asked for.
   */
  readonly violations: Iterable<Violation | null>;
}

/** Finds what a question is about: each policy that held and requested access violate together at an instant that counts. */
export function findViolations(
  index: SodIndex,
  question: Question,
  { shownMax, keepsRuns }: ViolationDetail,
): FoundViolations {
  if (question.kind === 'temporal')
    return {
      starts: question.starts,
      violations: { [Symbol.iterator]: () => findOverTime(index, question, keepsRuns) },
    };
  const { policies, access } = findAtInstant(index, question);
  const violations =
    policies.length === 0
      ? NONE
      : policies.map((policy, at) =>
          at < shownMax ? violationAtInstant(index, policy, access) : violationBeyond(policy),
        );
  return { starts: [question.ms], violations };
}

const NONE: readonly Violation[] = [];
