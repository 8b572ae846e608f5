import { createWorkBudget, isPauseDue, type Steps } from '../steps/work-budget.ts';
import { LINT_CHECKS, LINT_PHASES } from './checks.ts';
import type { PolicyFinding } from './finding.ts';
import { focusOnAll, type LintFocus, numberFocus } from './focus.ts';
import { LINT_STEP_WORK, type LintRulebook } from './rulebook.ts';
import { createLintTask, type Findings } from './task.ts';

/** The most warnings that the answer to an import has. */
export const IMPORT_WARNINGS_MAX = 100;

// Cost of building and writing one finding, in work units.
const FINDING_WORK = 12;

/**
 * All findings about a rulebook, sorted by code, policy id and ref id. Policies that are not enforced are not compared and
 * violated by no bundle. Yields portions, perhaps empty, each after a millisecond or two of work.
 */
export function* lintPolicies(rulebook: LintRulebook): Generator<readonly PolicyFinding[], void> {
  const budget = createWorkBudget(LINT_STEP_WORK);
  const task = createLintTask({ rulebook, focus: focusOnAll(rulebook), budget, isSpent: NEVER });
  let portion: PolicyFinding[] = [];
  for (const check of LINT_CHECKS) {
    for (const finding of check.run(task)) {
      if (finding !== undefined) portion.push(finding);
      if (finding !== undefined && !isPauseDue(budget, FINDING_WORK)) continue;
      yield portion;
      portion = [];
    }
  }
  yield portion;
}

/** A question to lint. */
export interface LintRequest {
  readonly focus: LintFocus;
  /** Called now and then; once it returns true, lint stops searching. */
  readonly isSpent: () => boolean;
}

/**
 * The findings of `lintPolicies` that concern a focus, in the same order, at most `IMPORT_WARNINGS_MAX`; in steps. They are
 * about a policy, a bundle or a deleted item in focus, or about an unmatchable policy with such an item, or name a policy in
 * focus as related. When time is short, findings of the later `LINT_PHASES` are missing.
 */
export function* lintInFocus(rulebook: LintRulebook, { focus, isSpent }: LintRequest): Steps<readonly PolicyFinding[]> {
  const budget = createWorkBudget(LINT_STEP_WORK);
  const numbered = yield* numberFocus(rulebook, focus, budget);
  const task = createLintTask({ rulebook, focus: numbered, budget, isSpent });
  const found: PolicyFinding[] = [];
  for (const phase of LINT_PHASES) {
    const isSpentIn = phase === 'POLICY' || phase === 'BUNDLE' ? isSpent : NEVER;
    for (const check of LINT_CHECKS)
      if (check.phase === phase) found.push(...(yield* firstOf(check.run(task), isSpentIn)));
    // The findings that always come sort before all others.
    if (phase === 'ALWAYS' && found.length === IMPORT_WARNINGS_MAX) return found;
  }
  return found.sort(byCode).slice(0, IMPORT_WARNINGS_MAX);
}

const NEVER = () => false;

// Each check yields in order of policy and ref.
const byCode = (a: PolicyFinding, b: PolicyFinding) => (a.code < b.code ? -1 : Number(a.code > b.code));

/** The first findings, at most as many as an import reports. */
function* firstOf(findings: Findings, isSpent: () => boolean): Steps<PolicyFinding[]> {
  const found: PolicyFinding[] = [];
  for (const finding of findings) {
    if (finding !== undefined) found.push(finding);
    if (found.length === IMPORT_WARNINGS_MAX || isSpent()) return found;
    if (finding === undefined) yield;
  }
  return found;
}
