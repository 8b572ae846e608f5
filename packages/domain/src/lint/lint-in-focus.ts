import { type CsrRows, createRowWriter, endRow, pushNumber, rowAt, rowsOf } from '../collections/csr-rows.ts';
import type { SodBundles } from '../rulebook/catalogue.ts';
import { createWorkBudget, isPauseDue, type Steps, type WorkBudget } from '../steps/work-budget.ts';
import { chooseCompared } from './comparable.ts';
import { type Comparison, comparePolicies } from './compare.ts';
import type { PolicyFinding } from './finding.ts';
import { type LintFocus, type NumberedFocus, numberFocus } from './focus.ts';
import { LIGHT, LINT_STEP_WORK, type LintRulebook } from './rulebook.ts';
import { type BundlesByItem, findSelfViolating } from './self-violating.ts';
import {
  bundlesByItem,
  deletedItems,
  duplicates,
  type EvaluatePolicy,
  eachPolicy,
  type Findings,
  itemsOnTwoSides,
  PAUSE,
  pausing,
  subsumed,
  unmatchable,
} from './stages.ts';

/** The most warnings that an import gives. */
export const IMPORT_WARNINGS_MAX = 100;

/** What is asked of lint. */
export interface LintRequest {
  readonly focus: LintFocus;
  /** Looked at now and then: once it is true, no more is looked for. */
  readonly isSpent: () => boolean;
}

/**
 * What `lintPolicies` tells of a focus, in its order, at most `IMPORT_WARNINGS_MAX` findings; in steps. That is what is about
 * a policy, a bundle or a deleted item in focus, or about a policy that nobody can violate and that has such an item, and what
 * names a policy in focus as related. Deleted items are always told of; to compare takes longest and comes last: it is what is
 * missing when time is short.
 */
export function* lintInFocus(rulebook: LintRulebook, { focus, isSpent }: LintRequest): Steps<readonly PolicyFinding[]> {
  const budget = createWorkBudget(LINT_STEP_WORK);
  const numbered = yield* numberFocus(rulebook, focus, budget);
  const work = { rulebook, focus, numbered, budget, isSpent };
  const found = yield* firstOf(findDeletedItems(work), NEVER);
  // Whatever else there is comes after these.
  if (found.length === IMPORT_WARNINGS_MAX) return found;
  for (const stage of stagesOf(work)) for (const one of yield* firstOf(stage, isSpent)) found.push(one);
  const comparison = yield* compareInFocus(work);
  for (const compared of [
    { policies: inOrder(comparison.duplicateOf), judge: duplicates(comparison) },
    { policies: inOrder(comparison.widerThan), judge: subsumed(comparison) },
  ])
    for (const one of yield* firstOf(findRelated(work, compared), NEVER)) found.push(one);
  return found.sort(byCode).slice(0, IMPORT_WARNINGS_MAX);
}

interface Work extends LintRequest {
  readonly rulebook: LintRulebook;
  readonly numbered: NumberedFocus;
  readonly budget: WorkBudget;
}

const NO_COMPARISON: Comparison = { duplicateOf: new Map(), widerThan: new Map() };
const NEVER = () => false;

// Each stage is in order already.
const byCode = (a: PolicyFinding, b: PolicyFinding) => (a.code < b.code ? -1 : Number(a.code > b.code));

/** As many of the first findings as can be told. */
function* firstOf(stage: Findings, isSpent: () => boolean): Steps<PolicyFinding[]> {
  const found: PolicyFinding[] = [];
  for (const finding of stage) {
    if (finding !== PAUSE) found.push(finding);
    if (found.length === IMPORT_WARNINGS_MAX || isSpent()) return found;
    if (finding === PAUSE) yield;
  }
  return found;
}

function findDeletedItems({ rulebook, focus, numbered, budget }: Work): Findings {
  const isDeleted = ({ ref }: PolicyFinding) => focus.deletedEntitlements.has(ref?.id ?? '');
  const judge: EvaluatePolicy = function* (policy) {
    const isInFocus = numbered.policies[policy] === 1;
    for (const finding of deletedItems(policy, rulebook)) if (isInFocus || isDeleted(finding)) yield finding;
  };
  return eachPolicy(rulebook, { policies: numbered.touched, budget }, judge);
}

function* stagesOf(work: Work): Generator<Findings> {
  const { rulebook, numbered, budget } = work;
  const { policies, touched, accessProfiles, roles } = numbered;
  const inFocus = touched.filter((policy) => policies[policy] === 1);
  yield eachPolicy(rulebook, { policies: inFocus, budget }, itemsOnTwoSides);
  yield eachPolicy(rulebook, { policies: touched, budget }, unmatchable);
  yield findViolating(work, {
    type: 'ACCESS_PROFILE',
    bundles: rulebook.catalogue.accessProfiles,
    marks: accessProfiles,
  });
  yield findViolating(work, { type: 'ROLE', bundles: rulebook.catalogue.roles, marks: roles });
}

interface BundlesInFocus extends Pick<BundlesByItem, 'type'> {
  readonly bundles: SodBundles;
  readonly marks: Uint8Array;
}

/** Bundles that violate a policy in focus, and bundles in focus that violate any. */
function* findViolating({ rulebook, numbered, budget }: Work, { type, bundles, marks }: BundlesInFocus): Findings {
  const { policies } = numbered;
  const invert = (rows: CsrRows) => pausing(bundlesByItem(rulebook, rows, budget));
  const all = policies.includes(1) ? yield* invert(bundles.entitlements) : null;
  const some = marks.includes(1) ? yield* invert(yield* pausing(onlyRows(bundles.entitlements, marks, budget))) : null;
  const byItem = (policy: number) => (policies[policy] === 1 ? all : some);
  yield* findSelfViolating(rulebook, { type, numbers: bundles.numbers, byItem }, budget);
}

/** The rows that are marked; the others are empty. */
function* onlyRows(rows: CsrRows, marks: Uint8Array, budget: WorkBudget): Steps<CsrRows> {
  const writer = createRowWriter();
  for (const [row, mark] of marks.entries()) {
    const values = mark === 1 ? rowAt(rows, row) : [];
    for (const value of values) pushNumber(writer, value);
    endRow(writer);
    if (isPauseDue(budget, (4 + values.length) / LIGHT)) yield;
  }
  return rowsOf(writer);
}

function* compareInFocus({ rulebook, numbered: { policies }, budget, isSpent }: Work): Steps<Comparison> {
  if (isSpent() || !policies.includes(1)) return NO_COMPARISON;
  const scope = yield* chooseCompared(rulebook, { policies, isSpent, budget });
  return yield* comparePolicies(rulebook, scope, budget);
}

/** What a comparison tells of policies in focus, or by naming them. */
function findRelated({ rulebook, focus, numbered, budget }: Work, { policies, judge }: Compared): Findings {
  const isNamed = ({ related }: PolicyFinding) => related.some(({ id }) => focus.policies.has(id));
  const judgeInFocus: EvaluatePolicy = function* (policy) {
    const isInFocus = numbered.policies[policy] === 1;
    for (const finding of judge(policy, rulebook)) if (isInFocus || isNamed(finding)) yield finding;
  };
  return eachPolicy(rulebook, { policies, budget }, judgeInFocus);
}

interface Compared {
  readonly policies: readonly number[];
  readonly judge: EvaluatePolicy;
}

const inOrder = (policies: ReadonlyMap<number, unknown>) => [...policies.keys()].sort((a, b) => a - b);
