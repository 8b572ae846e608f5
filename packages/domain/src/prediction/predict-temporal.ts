import { startEpoch } from '../collections/epoch-set.ts';
import { findViolatedTemporal } from '../evaluation/find-violated-temporal.ts';
import { type Holder, settleTime, type TemporalQuestion, type TimedRequest } from '../evaluation/temporal-question.ts';
import { NOT_SHOWN, type TemporalViolation } from '../evaluation/temporal-violation.ts';
import type { NotFound, ReferenceNotFound } from '../result/failure.ts';
import { ok, type Result } from '../result/result.ts';
import type { SodIndex } from '../rulebook/sod-index.ts';
import { createWorkBudget, isPauseDue } from '../steps/work-budget.ts';
import { explainAccess } from './explain-access.ts';
import { createPartOf, graphAt } from './explain-temporal.ts';
import {
  type Explanation,
  explainViolation,
  explainViolations,
  itemIdsOf,
  type PredictionToExplain,
  predictToExplain,
  writeExplained,
} from './explain-violations.ts';
import { predict } from './predict.ts';
import { predictJson } from './predict-json.ts';
import { type ViolationContext, violationAt } from './violation-context.ts';

type Refusal = ReferenceNotFound | NotFound;

// The work of a fraction of a millisecond, as in `predictJson`: so many sides judged.
const STEP_WORK = 1_024;
// A violation is written in the time in which so many sides are judged.
const VIOLATION_WORK = 32;

/** The JSON text of what a prediction over time answers, and its failures; in steps where it is much work, as `predictJson` has it. */
export function predictTemporalJson(
  index: SodIndex,
  holder: Holder,
  question: TimedRequest,
): Result<string | Iterable<string>, Refusal> {
  const settled = settleTime(index, holder, question);
  if (!settled.ok) return settled;
  const { value } = settled;
  if (value.kind === 'moment') return predictJson(index, value.held, value.accessRefs);
  return ok(wholeIfShort(writeInSteps(index, value)));
}

/** The violations of a prediction over time, and the same with what explains them. */
export interface TemporalPrediction {
  readonly violationContexts: readonly ViolationContext[];
  explain(explanation: Explanation): readonly ViolationContext[];
}

/** Answers a question about access that holds for a time, at one go. Fails as `predict` does. */
export function predictTemporal(
  index: SodIndex,
  holder: Holder,
  question: TimedRequest,
): Result<TemporalPrediction, Refusal> {
  const settled = settleTime(index, holder, question);
  if (!settled.ok) return settled;
  const { value } = settled;
  if (value.kind === 'moment') {
    const prediction = predict(index, value.held, value.accessRefs);
    if (!prediction.ok) return prediction;
    const { violationContexts } = prediction.value;
    const explain = (explanation: Explanation) => explainViolations(violationContexts, graphAt(explanation, value.ms));
    return ok({ violationContexts, explain });
  }
  const judged = runPieces(findViolatedTemporal(index, value, { budget: createWorkBudget() }));
  const contextOf = createContexts(index);
  const violations = judged.map((policy) => ({ context: contextOf(policy), runs: policy.runs }));
  return ok({
    violationContexts: violations.map(({ context }) => context),
    explain: (explanation) => {
      const reasonFor = explainAccess(explanation, new Set(violations.flatMap(({ context }) => itemIdsOf(context))));
      const partOf = createPartOf(value.starts, explanation);
      return violations.map(({ context, runs }) => {
        const takesPart = partOf(runs);
        return explainViolation(context, explanation, (id) => reasonFor(id, takesPart));
      });
    },
  });
}

/** What `predictTemporalJson` answers, to be explained by the paths through what takes part in a moment that sees a violation; and its failures. */
export function predictTemporalToExplain(
  index: SodIndex,
  holder: Holder,
  question: TimedRequest,
): Result<PredictionToExplain, Refusal> {
  const settled = settleTime(index, holder, question);
  if (!settled.ok) return settled;
  const { value } = settled;
  if (value.kind === 'stretches') return ok(toExplain(index, value));
  const prediction = predictToExplain(index, value.held, value.accessRefs);
  if (!prediction.ok) return prediction;
  const { search, policyIds, write } = prediction.value;
  return ok({
    search,
    policyIds,
    write: (explanation, covered) => write(explanation && graphAt(explanation, value.ms), covered),
  });
}

function toExplain(index: SodIndex, question: TemporalQuestion): PredictionToExplain {
  const contextOf = createContexts(index);
  const policyIds: string[] = [];
  const items = new Set<string>();
  const violated: TemporalViolation[] = [];
  const search = function* (): Generator<string> {
    const budget = createWorkBudget(STEP_WORK);
    for (const policy of yield* findViolatedTemporal(index, question, { budget })) {
      const context = contextOf(policy);
      for (const id of itemIdsOf(context)) items.add(id);
      policyIds.push(context.policy.id);
      violated.push(policy);
      if (isPauseDue(budget, VIOLATION_WORK)) yield '';
    }
  };
  return {
    search: search(),
    policyIds,
    write: (explanation, covered) => {
      const partOf = explanation && createPartOf(question.starts, explanation);
      const violations = function* () {
        for (const policy of violated) {
          const context = contextOf(policy);
          yield partOf === null ? { context } : { context, takesPart: partOf(policy.runs) };
        }
      };
      return writeExplained({ explanation, covered, items }, violations());
    },
  };
}

/** The JSON text of a prediction in pieces, the empty ones pauses. */
export function* writeInSteps(
  index: SodIndex,
  question: TemporalQuestion,
  { stepWork = STEP_WORK, ...limits }: { readonly stepWork?: number; readonly maskWordsMax?: number } = {},
): Generator<string> {
  const budget = createWorkBudget(stepWork);
  const contextOf = createContexts(index);
  let json = '{"violationContexts":[';
  let separator = '';
  for (const policy of yield* findViolatedTemporal(index, question, { budget, ...limits })) {
    json += separator + JSON.stringify(contextOf(policy));
    separator = ',';
    if (!isPauseDue(budget, VIOLATION_WORK)) continue;
    yield json;
    json = '';
  }
  yield `${json}]}`;
}

/** Makes contexts as predictions have them, of what has been judged. */
function createContexts(index: SodIndex): (policy: TemporalViolation) => ViolationContext {
  const { marks } = index.catalogue;
  return ({ number, rows, first, shown, isPreexisting }) => {
    const heldMark = startEpoch(marks);
    const start = rows.starts[first] ?? 0;
    shown.forEach((mark, item) => {
      // In the order of the marks of held and of gained.
      if (mark !== NOT_SHOWN) marks.bytes[rows.values[start + item] ?? 0] = heldMark - 1 + mark;
    });
    const context = violationAt(index, number, { marks: marks.bytes, heldMark });
    return { ...context, preexisting: isPreexisting };
  };
}

/** The whole text where it comes without a pause. */
function wholeIfShort(pieces: Generator<string>): string | Iterable<string> {
  const first = pieces.next().value ?? '';
  const second = first === '' ? null : pieces.next();
  if (second?.done === true) return first;
  return (function* () {
    yield first;
    if (second !== null) yield second.value;
    yield* pieces;
  })();
}

function runPieces<T>(steps: Generator<string, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
