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
  const compare = function* (): Steps<Comparison> {
    if (isSpent() || !focus.policies.includes(1)) return { duplicateOf: new Map(), broaderThan: new Map() };
    const scope = yield* chooseScope(rulebook, { policies: focus.policies, isSpent, budget });
    return yield* comparePolicies(rulebook, scope, budget);
  };
  return {
    rulebook,
    focus,
    budget,
    *compare() {
      comparison ??= yield* compare();
      return comparison;
    },
  };
}

/** Marks a pause between findings. */
export const PAUSE = null;
/** The findings of one check, sorted by policy and ref. */
export type Findings = Generator<PolicyFinding | typeof PAUSE, void>;

/** Delegates to steps among findings: each of their pauses becomes a `PAUSE`. */
export function* pausing<T>(steps: Steps<T>): Generator<typeof PAUSE, T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    yield PAUSE;
  }
}
