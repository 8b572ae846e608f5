import { createWorkBudget, isPauseDue, type WorkBudget } from '../steps/work-budget.ts';
import { comparePolicies } from './compare.ts';
import type { PolicyFinding } from './finding.ts';
import { LINT_STEP_WORK, type LintRulebook, policyNumbers } from './rulebook.ts';
import { findSelfViolating } from './self-violating.ts';
import {
  bundlesByItem,
  deletedItems,
  duplicates,
  eachPolicy,
  type Findings,
  itemsOnTwoSides,
  PAUSE,
  pausing,
  subsumed,
  unmatchable,
} from './stages.ts';

// So much takes to make one and to write it.
const FINDING_WORK = 12;

/**
 * What is odd about the policies of a rulebook, sorted by code, policy id and ref id. Policies that are not enforced are
 * compared with none, and no bundle is told to violate them. Comes in portions, perhaps empty ones, each the work of a
 * millisecond or two.
 */
export function* lintPolicies(rulebook: LintRulebook): Generator<readonly PolicyFinding[], void> {
  const budget = createWorkBudget(LINT_STEP_WORK);
  let portion: PolicyFinding[] = [];
  for (const finding of findAll(rulebook, budget)) {
    if (finding !== PAUSE) portion.push(finding);
    if (finding !== PAUSE && !isPauseDue(budget, FINDING_WORK)) continue;
    yield portion;
    portion = [];
  }
  yield portion;
}

function* findAll(rulebook: LintRulebook, budget: WorkBudget): Findings {
  const all = { policies: policyNumbers(rulebook, 'all'), budget };
  yield* eachPolicy(rulebook, all, deletedItems);
  const compared = policyNumbers(rulebook, 'enforced');
  const scope = { compared, isSubject: () => true, isSpent: () => false };
  const comparison = yield* pausing(comparePolicies(rulebook, scope, budget));
  yield* eachPolicy(rulebook, all, duplicates(comparison));
  yield* eachPolicy(rulebook, all, itemsOnTwoSides);
  const { accessProfiles, roles } = rulebook.catalogue;
  for (const [type, bundles] of [
    ['ACCESS_PROFILE', accessProfiles],
    ['ROLE', roles],
  ] as const) {
    const byItem = yield* pausing(bundlesByItem(rulebook, bundles.entitlements, budget));
    yield* findSelfViolating(rulebook, { type, numbers: bundles.numbers, byItem: () => byItem }, budget);
  }
  yield* eachPolicy(rulebook, all, subsumed(comparison));
  yield* eachPolicy(rulebook, all, unmatchable);
}
