import { findAtOnce } from '../evaluation/find-at-once.ts';
import { findViolations } from '../evaluation/find-violations.ts';
import {
  type AccessRequest,
  type Holder,
  type Question,
  type QuestionFailure,
  settleQuestion,
} from '../evaluation/question.ts';
import { ok, type Result } from '../result/result.ts';
import type { SodIndex } from '../rulebook/sod-index.ts';
import type { TextSteps } from '../steps/text-steps.ts';
import type { Steps, WorkBudget } from '../steps/work-budget.ts';
import type { ExceptionCoverage } from './covered-policies.ts';
import { type ViolationWriting, writeViolations } from './write-violations.ts';

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

function* writePrediction(index: SodIndex, question: Question, writing: ViolationWriting): Steps<number> {
  return yield* writeViolations(
    index,
    yield* findViolations(index, question, { budget: writing.budget, keepsRuns: false }),
    writing,
  );
}
