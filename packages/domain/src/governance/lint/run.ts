import { compareTexts } from '../../basics/order/compare-texts.ts';
import { focusOnAll, type LintFocus, type LintRulebook, numberFocus } from '../../sod/index.ts';
import { LINT_CHECKS, LINT_PHASES } from './checks.ts';
import type { PolicyFinding } from './finding.ts';
import { NO_FINDINGS, type Pieces } from './findings.ts';
import { createLintTask } from './task.ts';

/** The most warnings that the answer to an import has. */
export const IMPORT_WARNINGS_MAX = 100;

/**
 * All findings about a rulebook, sorted by code, policy id and ref id. Policies that are not enforced are not compared and
 * violated by no bundle.
 */
export function* lintPolicies(rulebook: LintRulebook): Pieces {
  const task = createLintTask({ rulebook, focus: focusOnAll(rulebook), isSpent: NEVER });
  for (const { run } of LINT_CHECKS) yield* run(task);
}

/** A question to lint. */
export interface LintRequest {
  readonly focus: LintFocus;
  /** Called now and then; once it returns true, lint stops searching. */
  readonly isSpent: () => boolean;
}

/**
 * The findings of `lintPolicies` that concern a focus, in no particular order; `firstFindings` chooses those that are reported.
 * They are about a policy, a bundle or a deleted item in focus, or about an unmatchable policy with such an item, or name a
 * policy in focus as related. When time is short, findings of the later `LINT_PHASES` are missing.
 */
export function* lintInFocus(rulebook: LintRulebook, { focus, isSpent }: LintRequest): Pieces {
  const task = createLintTask({ rulebook, focus: yield* numberFocus(rulebook, focus), isSpent });
  let count = 0;
  for (const phase of LINT_PHASES) {
    const isSpentIn = phase === 'POLICY' || phase === 'BUNDLE' ? isSpent : NEVER;
    for (const check of LINT_CHECKS) if (check.phase === phase) count += yield* firstOf(check.run(task), isSpentIn);
    // The findings that always come sort before all others.
    if (phase === 'ALWAYS' && count === IMPORT_WARNINGS_MAX) return;
  }
}

/** The findings that an import reports: the first ones in the order of `lintPolicies`, at most `IMPORT_WARNINGS_MAX`. */
export const firstFindings = (found: readonly PolicyFinding[]): readonly PolicyFinding[] =>
  // Each check yields in order of policy and ref.
  found.toSorted((a, b) => compareTexts(a.code, b.code)).slice(0, IMPORT_WARNINGS_MAX);

const NEVER = () => false;

/** The first findings of a check, at most as many as an import reports; returns how many. */
function* firstOf(pieces: Pieces, isSpent: () => boolean): Pieces<number> {
  let count = 0;
  for (const findings of pieces) {
    const first = findings.slice(0, IMPORT_WARNINGS_MAX - count);
    count += first.length;
    yield first.length === 0 ? NO_FINDINGS : first;
    if (count === IMPORT_WARNINGS_MAX || isSpent()) break;
  }
  return count;
}
