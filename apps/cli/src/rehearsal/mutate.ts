import {
  type Catalogue,
  type ConflictingAccessCriteria,
  isKOfN,
  type SodCriteria,
  sidesOf,
} from '@access-admin/domain';
import { createEvaluator } from '../evaluation/evaluate.ts';
import type { ResolvedPolicy } from '../rulebook/resolve.ts';
import { ask, compare, type RunTest, type TestAnswer } from './run.ts';

/** A policy from which one item or one side is removed. */
export interface Mutant {
  readonly policyId: string;
  /** What is removed, such as `left[1] (e-2)` or `right`. */
  readonly removed: string;
  /** Whether a test fails because of it. */
  readonly isNoticed: boolean;
}

interface Candidate extends Omit<Mutant, 'isNoticed'> {
  /** The id under which it is evaluated. */
  readonly id: string;
  /** Null where it can no longer be violated. */
  readonly criteria: ConflictingAccessCriteria | null;
  readonly original: ResolvedPolicy;
}

/**
 * Removes one item or side at a time from each enforced policy, and finds out which tests notice. All mutants are evaluated
 * together as policies of their own. A removal only makes a policy narrower, so that it is noticed by a test that
 * fails without the violation.
 */
export function mutatePolicies(
  policies: readonly ResolvedPolicy[],
  runs: readonly RunTest[],
  catalogue: Catalogue,
): readonly Mutant[] {
  const candidates = policies.filter(({ policy }) => policy.state === 'ENFORCED').flatMap(candidatesOf);
  const evaluator = createEvaluator(
    candidates.flatMap(({ id, criteria, original }) =>
      criteria === null ? [] : [{ ...original.policy, id, conflictingAccessCriteria: criteria }],
    ),
    catalogue,
  );
  const byPolicy = Map.groupBy(candidates, ({ policyId }) => policyId);
  const noticed = new Set<string>();
  for (const run of runs) {
    if (run.question === null || run.failures.length > 0) continue;
    const answer = ask(evaluator, run.question);
    for (const policyId of run.answer.violates.union(run.answer.existing))
      for (const { id } of byPolicy.get(policyId) ?? [])
        if (compare(run.placed, withMutant(run.answer, { policyId, id, answer })).length > 0) noticed.add(id);
  }
  return candidates.map(({ id, policyId, removed }) => ({ policyId, removed, isNoticed: noticed.has(id) }));
}

/** The answer of a test with a mutant in place of its policy. */
function withMutant(
  { violates, existing }: TestAnswer,
  { policyId, id, answer }: { readonly policyId: string; readonly id: string; readonly answer: TestAnswer },
): TestAnswer {
  const without = new Set([policyId]);
  return {
    violates: answer.violates.has(id) ? violates : violates.difference(without),
    existing: answer.existing.has(id) ? existing : existing.difference(without),
  };
}

function candidatesOf(original: ResolvedPolicy): Candidate[] {
  const { id: policyId, conflictingAccessCriteria: criteria } = original.policy;
  const sides = sidesOf(criteria);
  const nameOf = (side: number) => {
    if (!isKOfN(criteria)) return side === 0 ? 'left' : 'right';
    return sides.length === 1 ? 'critical' : `sides[${side}]`;
  };
  const removals = sides.flatMap((side, number): { removed: string; left: readonly SodCriteria[] }[] => {
    const others = sides.filter((_, each) => each !== number);
    const whole = { removed: nameOf(number), left: others };
    // A side of one item goes with its item.
    if (side.criteriaList.length === 1) return [whole];
    const items = side.criteriaList.map((item, at) => ({
      removed: `${nameOf(number)}[${at}] (${original.unmatched.get(item.id) ?? item.id})`,
      left: sides.map((each, index) =>
        index === number ? { ...each, criteriaList: each.criteriaList.filter((other) => other !== item) } : each,
      ),
    }));
    return [...items, whole];
  });
  const atLeast = isKOfN(criteria) ? criteria.atLeast : 2;
  return removals.map(({ removed, left }, number) => ({
    id: `${policyId}#${number}`,
    policyId,
    removed,
    original,
    criteria: left.length < atLeast ? null : { criteria: left, atLeast },
  }));
}
