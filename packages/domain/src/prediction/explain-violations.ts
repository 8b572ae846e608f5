import { findViolations } from '../evaluation/find-violations.ts';
import { type FoundViolations, releaseViolations, runsAt, startsOf } from '../evaluation/found-violations.ts';
import {
  type AccessRequest,
  type Holder,
  type Question,
  type QuestionFailure,
  settleQuestion,
} from '../evaluation/question.ts';
import { ok, type Result } from '../result/result.ts';
import type { SodIndex } from '../rulebook/sod-index.ts';
import type { TextSink } from '../steps/text-steps.ts';
import { isPauseDue, type Steps, type WorkBudget } from '../steps/work-budget.ts';
import { coverViolation, type ExceptionCoverage } from './covered-policies.ts';
import { type AccessGraph, explainAccessInSteps, type ReasonFor } from './explain-access.ts';
import { createOriginFilters } from './origin-filters.ts';
import { writeViolations } from './predict-json.ts';
import {
  type PolicyAdvice,
  type ViolationContext,
  type ViolationItem,
  type ViolationSide,
  violationAt,
} from './violation-context.ts';

/** The data that explains violations, all as of the instant of the prediction. */
export interface Explanation extends AccessGraph {
  /** Of the violated policies, by id. */
  readonly advice: ReadonlyMap<string, PolicyAdvice>;
}

/** A prediction whose violations are found but not yet written. */
export interface PredictionToExplain {
  /** The policies that are violated. */
  readonly policyIds: readonly string[];
  /** Writes the violations, a JSON array, with the exceptions that cover them and, unless it is null, with what explains them. */
  write(sink: TextSink, explanation: Explanation | null, coverage: ExceptionCoverage | null): Steps<void>;
}

// The work units of building or explaining one violation.
const VIOLATION_WORK = 8;

/** Predicts as `predictJson` does, with the same failures, but lets the caller load the data that explains the violations found. */
export function predictToExplain(
  index: SodIndex,
  holder: Holder,
  request: AccessRequest & { readonly budget: WorkBudget },
): Result<Steps<PredictionToExplain>, QuestionFailure> {
  const question = settleQuestion(index, holder, request);
  return question.ok ? ok(findToExplain(index, question.value, request.budget)) : question;
}

function* findToExplain(index: SodIndex, question: Question, budget: WorkBudget): Steps<PredictionToExplain> {
  const found = yield* findViolations(index, question, budget);
  const policyIds: string[] = [];
  const items = new Set<string>();
  for (let place = 0; place < found.policies.length; place++) {
    const context = violationAt(index, found, place);
    for (const id of itemIdsOf(context)) items.add(id);
    policyIds.push(context.policy.id);
    if (isPauseDue(budget, VIOLATION_WORK)) yield;
  }
  return {
    policyIds,
    *write(sink, explanation, coverage) {
      if (explanation === null) yield* writeViolations(index, found, { sink, budget, coverage });
      else yield* writeExplained(index, found, { sink, budget, coverage, explanation, items });
    },
  };
}

interface Writing {
  readonly sink: TextSink;
  readonly budget: WorkBudget;
  readonly explanation: Explanation;
  readonly coverage: ExceptionCoverage | null;
  /** Of all the violations. */
  readonly items: ReadonlySet<string>;
}

function* writeExplained(
  index: SodIndex,
  found: FoundViolations,
  { sink, budget, explanation, coverage, items }: Writing,
): Steps<void> {
  const reasonFor = yield* explainAccessInSteps(explanation, items, budget);
  const takesPartIn = createOriginFilters(startsOf(found), explanation);
  sink.text += '[';
  for (let place = 0; place < found.policies.length; place++) {
    const takesPart = takesPartIn(runsAt(found, place));
    const context = explainViolation(violationAt(index, found, place), explanation, (id) => reasonFor(id, takesPart));
    sink.text += (place === 0 ? '' : ',') + JSON.stringify(yield* coverViolation(context, coverage, budget));
    if (isPauseDue(budget, VIOLATION_WORK)) yield;
  }
  sink.text += ']';
  releaseViolations(found);
}

const NO_ADVICE: PolicyAdvice = { correctionAdvice: null, compensatingControls: null };

/** A violation with these reasons and the advice of its policy. */
export function explainViolation(
  { policy, preexisting, conflictingAccessCriteria: conflict }: ViolationContext,
  { advice }: Explanation,
  reasonFor: ReasonFor,
): ViolationContext {
  const explainItem = (item: ViolationItem): ViolationItem => ({ ...item, ...reasonFor(item.id) });
  const explainSide = <S extends ViolationSide>(side: S): S => ({
    ...side,
    criteriaList: side.criteriaList.map(explainItem),
  });
  const { correctionAdvice, compensatingControls } = advice.get(policy.id) ?? NO_ADVICE;
  const conflictingAccessCriteria =
    'criteria' in conflict
      ? { criteria: conflict.criteria.map(explainSide), atLeast: conflict.atLeast }
      : { leftCriteria: explainSide(conflict.leftCriteria), rightCriteria: explainSide(conflict.rightCriteria) };
  return { policy, preexisting, conflictingAccessCriteria, correctionAdvice, compensatingControls };
}

/** The items of a violation by their ids. */
export function itemIdsOf({ conflictingAccessCriteria: conflict }: ViolationContext): readonly string[] {
  const sides = 'criteria' in conflict ? conflict.criteria : [conflict.leftCriteria, conflict.rightCriteria];
  return sides.flatMap(({ criteriaList }) => criteriaList.map(({ id }) => id));
}
