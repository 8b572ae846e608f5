import { findAtOnce } from '../evaluation/find-at-once.ts';
import { findViolations } from '../evaluation/find-violations.ts';
import { type FoundViolations, releaseViolations } from '../evaluation/found-violations.ts';
import {
  type AccessRequest,
  type Holder,
  type Question,
  type QuestionFailure,
  settleQuestion,
} from '../evaluation/question.ts';
import { ok, type Result } from '../result/result.ts';
import type { SodIndex } from '../rulebook/sod-index.ts';
import type { TextSink, TextSteps } from '../steps/text-steps.ts';
import { isPauseDue, type Steps, type WorkBudget } from '../steps/work-budget.ts';
import { coverViolation, type ExceptionCoverage } from './covered-policies.ts';
import { violationAt } from './violation-context.ts';
import { policyIdAt, violationJson } from './violation-json.ts';

/** The request of a prediction, its work budget, and the exceptions that cover violations. */
export interface JsonRequest extends AccessRequest {
  readonly budget: WorkBudget;
  readonly coverage: ExceptionCoverage | null;
}

/**
 * Predicts the violations that granting the requested access would cause: the JSON text of an array of `ViolationContext`.
 * It comes whole where the work is within the budget, else the rest of it in steps; other predictions may run between them.
 * Fails with a cause for each unresolved access ref, else for the identity.
 */
export function predictJson(
  index: SodIndex,
  holder: Holder,
  request: JsonRequest,
): Result<string | TextSteps, QuestionFailure> {
  const question = settleQuestion(index, holder, request);
  if (!question.ok) return question;
  const { value } = question;
  const found = value.kind === 'instant' ? findAtOnce(index, value) : null;
  if (found?.policies.length === 0) return ok('[]');
  const sink = { text: '' };
  const writing = { budget: request.budget, coverage: request.coverage, sink };
  const steps = found === null ? writePrediction(index, value, writing) : writeViolations(index, found, writing);
  return ok(steps.next().done === true ? sink.text : { sink, steps });
}

interface Writing extends Pick<JsonRequest, 'budget' | 'coverage'> {
  readonly sink: TextSink;
}

function* writePrediction(index: SodIndex, question: Question, writing: Writing): Steps<void> {
  yield* writeViolations(index, yield* findViolations(index, question, writing.budget), writing);
}

// The number of characters written in one unit of work.
const CHARACTERS = 64;

/** Writes the JSON text of violations, an array, in steps, and releases them. */
export function* writeViolations(
  index: SodIndex,
  found: FoundViolations,
  { sink, budget, coverage }: Writing,
): Steps<void> {
  sink.text += '[';
  for (let place = 0; place < found.policies.length; place++) {
    const text =
      coverage === null || !coverage.hasException(policyIdAt(index, found, place))
        ? violationJson(index, found, place)
        : JSON.stringify(yield* coverViolation(violationAt(index, found, place), coverage, budget));
    sink.text += place === 0 ? text : `,${text}`;
    if (isPauseDue(budget, 1 + text.length / CHARACTERS)) yield;
  }
  sink.text += ']';
  releaseViolations(found);
}
