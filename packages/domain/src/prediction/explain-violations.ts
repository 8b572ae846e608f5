import type { TemporalSearch } from '../evaluation/find-temporal.ts';
import { findViolations } from '../evaluation/find-violations.ts';
import type { AccessRequest, Holder, Question, QuestionFailure } from '../evaluation/question.ts';
import { settleQuestion } from '../evaluation/question.ts';
import { validateInstants } from '../evaluation/validate-instants.ts';
import type { LimitExceeded } from '../result/failure.ts';
import { ok, type Result } from '../result/result.ts';
import type { SodIndex } from '../rulebook/sod-index.ts';
import type { TextSink } from '../steps/text-steps.ts';
import { isPauseDue, type Steps, type WorkBudget } from '../steps/work-budget.ts';
import type { SodInclude } from './check.ts';
import type { ExceptionCoverage } from './covered-policies.ts';
import { policyIdAt } from './violation-json.ts';
import { type Explanation, writeExplainedViolations, writeViolations } from './write-violations.ts';

/** A prediction whose violations are found but not yet written. */
export interface PredictionToExplain {
  /** The policies that are violated. */
  readonly policyIds: readonly string[];
  /** Writes the violations, a JSON array, with the exceptions that cover them and, unless it is null, with what explains them. */
  write(sink: TextSink, explanation: Explanation | null, coverage: ExceptionCoverage | null): Steps<number>;
}

/** The request of a prediction to explain, the optional parts of its answer, and its work budget. */
export interface RequestToExplain extends AccessRequest {
  readonly includes: readonly SodInclude[];
  readonly budget: WorkBudget;
}

/**
 * Predicts as `predictJson` does, with the same failures, but lets the caller load the data that explains the violations found.
 * Fails also when the optional parts concern too many instants.
 */
export function predictToExplain(
  index: SodIndex,
  holder: Holder,
  request: RequestToExplain,
): Result<Steps<PredictionToExplain>, QuestionFailure | LimitExceeded> {
  const question = settleQuestion(index, holder, request);
  if (!question.ok) return question;
  const few = validateInstants(holder.timed, request, request.includes);
  const search = { budget: request.budget, keepsRuns: request.includes.includes('via') };
  return few.ok ? ok(findToExplain(index, question.value, search)) : few;
}

/** Finds the violations of a question, in steps. */
export function* findToExplain(
  index: SodIndex,
  question: Question,
  search: TemporalSearch,
): Steps<PredictionToExplain> {
  const { budget } = search;
  const found = yield* findViolations(index, question, search);
  const policyIds: string[] = [];
  for (let place = 0; place < found.policies.length; place++) {
    policyIds.push(policyIdAt(index, found, place));
    if (isPauseDue(budget, 1)) yield;
  }
  return {
    policyIds,
    write: (sink, explanation, coverage) =>
      explanation === null
        ? writeViolations(index, found, { sink, budget, coverage })
        : writeExplainedViolations(index, found, { sink, budget, coverage, explanation }),
  };
}
