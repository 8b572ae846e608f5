import {
  type Comparison,
  chooseScope,
  comparePolicies,
  hasPolicyInFocus,
  type LintRulebook,
  type NumberedFocus,
} from '../../sod/index.ts';
import type { Pieces } from './findings.ts';

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
      if (isSpent() || !hasPolicyInFocus(focus)) comparison = { duplicateOf: new Map(), broaderThan: new Map() };
      else {
        const scope = yield* chooseScope(rulebook, { focus, isSpent });
        comparison = yield* comparePolicies(rulebook, scope);
      }
      return comparison;
    },
  };
}
