import { idCount } from '../collections/id-dictionary.ts';
import type { SodIndex } from '../rulebook/sod-index.ts';
import type { Entitlements } from './expand-access.ts';
import { findAtInstant } from './find-at-instant.ts';
import type { Question, TemporalQuestion } from './question.ts';
import { createTimelines } from './timelines.ts';
import { type Violation, violationAtInstant, violationBeyond, violationOverTime } from './violation.ts';

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

/**
 * Finds what granting the requested access would violate in any interval. Each policy is evaluated when it is asked for, in
 * time that grows with the intervals of its own items.
 */
function* findOverTime(index: SodIndex, question: TemporalQuestion, keepsRuns: boolean): Generator<Violation | null> {
  const policies = findCandidates(index, question);
  if (policies.length === 0) return;
  const timelines = createTimelines(question, idCount(index.catalogue.numbers.ids));
  for (const policy of policies) yield violationOverTime(index, policy, { timelines, keepsRuns });
}

/**
 * The policies that would be violated if all access held at one instant: no others are violated in an interval, as more
 * access never ends a violation. Access that is requested counts as gained unless it is always held.
 */
function findCandidates(index: SodIndex, { starts, always, held, requested }: TemporalQuestion): readonly number[] {
  const entitlementsOf = ({ entitlements }: { readonly entitlements: Entitlements }) => entitlements;
  return findAtInstant(index, {
    kind: 'instant',
    ms: starts[0] ?? 0,
    held: always,
    parts: requested.map(entitlementsOf),
    timed: { parts: held.map(entitlementsOf), yieldsToRequest: true },
  }).policies;
}
