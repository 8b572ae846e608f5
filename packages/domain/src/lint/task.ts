import type { Steps, WorkBudget } from '../steps/work-budget.ts';
import { type Comparison, comparePolicies } from './compare.ts';
import type { PolicyFinding } from './finding.ts';
import type { NumberedFocus } from './focus.ts';
import type { LintRulebook } from './rulebook.ts';
import { chooseScope } from './scope.ts';

/** What a check looks at. */
export interface LintTask {
  readonly rulebook: LintRulebook;
  readonly focus: NumberedFocus;
  readonly budget: WorkBudget;
  /** Compares the policies when it is first called, and returns the same comparison to every check. */
  readonly compare: () => Steps<Comparison>;
}

/** A task without a comparison yet. Once `isSpent` returns true, policies are compared no further. */
export function createLintTask(given: Omit<LintTask, 'compare'> & { readonly isSpent: () => boolean }): LintTask {
  const { rulebook, focus, budget, isSpent } = given;
  let comparison: Comparison | null = null;
  return {
    rulebook,
    focus,
    budget,
    *compare() {
      if (comparison !== null) return comparison;
      if (isSpent() || !focus.policies.includes(1)) comparison = { duplicateOf: new Map(), broaderThan: new Map() };
      else {
        const scope = yield* chooseScope(rulebook, { policies: focus.policies, isSpent, budget });
        comparison = yield* comparePolicies(rulebook, scope, budget);
      }
      return comparison;
    },
  };
}

/** The findings of one check, sorted by policy and ref; undefined for a pause. */
export type Findings = Generator<PolicyFinding | undefined, void>;
