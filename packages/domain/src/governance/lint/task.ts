import { type Comparison, comparePolicies } from './compare.ts';
import type { Pieces } from './findings.ts';
import type { NumberedFocus } from './focus.ts';
import type { LintRulebook } from './rulebook.ts';
import { chooseScope } from './scope.ts';

/** What a check looks at. */
export interface LintTask {
  readonly rulebook: LintRulebook;
  readonly focus: NumberedFocus;
  /** Compares the policies when it is first called, and returns the same comparison to every check. */
  readonly compare: () => Pieces<Comparison>;
}

/** A task without a comparison yet. Once `isSpent` returns true, policies are compared no further. */
export function createLintTask(given: Omit<LintTask, 'compare'> & { readonly isSpent: () => boolean }): LintTask {
  const { rulebook, focus, isSpent } = given;
  let comparison: Comparison | null = null;
  return {
    rulebook,
    focus,
    *compare() {
      if (comparison !== null) return comparison;
      if (isSpent() || !focus.policies.includes(1)) comparison = { duplicateOf: new Map(), broaderThan: new Map() };
      else {
        const scope = yield* chooseScope(rulebook, { policies: focus.policies, isSpent });
        comparison = yield* comparePolicies(rulebook, scope);
      }
      return comparison;
    },
  };
}
