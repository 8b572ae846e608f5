import { findTemporal } from '../src/evaluation/find-temporal.ts';
import { releaseViolations } from '../src/evaluation/found-violations.ts';
import {
  type AccessRequest,
  type QuestionFailure,
  settleQuestion,
  type TemporalQuestion,
} from '../src/evaluation/question.ts';
import * as domain from '../src/index.ts';
import { findCheck, type ResultBounds } from '../src/prediction/conclude-check.ts';
import { findToExplain } from '../src/prediction/explain-violations.ts';
import { writeViolations } from '../src/prediction/write-violations.ts';

// The entries of this package in the forms in which tests ask: for numbers held at any time, or for all as text.

type Held = Uint32Array | null;
type Pieces = string | Iterable<string>;
type Outcome<T> = domain.Result<T, QuestionFailure>;

const always = (held: Held): domain.Holder => ({ held, timed: null });
const BUDGET = 1_024;

function* wrapped(pieces: Iterable<string>): Generator<string> {
  yield '{"violationContexts":';
  yield* pieces;
  yield '}';
}

function jsonOf(
  index: domain.SodIndex,
  holder: domain.Holder,
  request: AccessRequest,
  limit = BUDGET,
): Outcome<Pieces> {
  const budget = domain.createWorkBudget(limit);
  const answer = domain.predictJson(index, holder, { ...request, budget, coverage: null });
  if (!answer.ok) return answer;
  const { value } = answer;
  return domain.ok(typeof value === 'string' ? `{"violationContexts":${value}}` : wrapped(piecesOf(value)));
}

/** Writes a prediction as text, whole or in pieces, and pauses after `limit` units of work. */
export const createPredictJson =
  (limit: number) =>
  (index: domain.SodIndex, held: Held, accessRefs: readonly domain.AccessRef[]): Outcome<Pieces> =>
    jsonOf(index, always(held), { accessRefs, nowMs: 0 }, limit);

export const predictJson = createPredictJson(BUDGET);

export const predictTemporalJson = (
  index: domain.SodIndex,
  holder: domain.Holder,
  request: AccessRequest,
): Outcome<Pieces> => jsonOf(index, holder, request);

/** Yields the text of a temporal prediction; `maskWordsMax` limits the memory for masks. */
export function* writeInSteps(
  index: domain.SodIndex,
  question: TemporalQuestion,
  { stepWork, ...limits }: { readonly stepWork: number; readonly maskWordsMax?: number },
): Generator<string> {
  const budget = domain.createWorkBudget(stepWork);
  const sink = { text: '' };
  const steps = (function* (): domain.Steps<void> {
    const found = yield* findTemporal(index, question, { budget, keepsRuns: false, ...limits });
    yield* writeViolations(index, found, { budget, sink, coverage: null });
    releaseViolations(found);
  })();
  yield* wrapped(piecesOf({ sink, steps }));
}

export const settleTime = settleQuestion;
export const predictTemporal = domain.predict;

export function predict(
  index: domain.SodIndex,
  held: Held,
  accessRefs: readonly domain.AccessRef[],
): Outcome<Pick<domain.Prediction, 'violationContexts'>> {
  const prediction = domain.predict(index, always(held), { accessRefs, nowMs: 0 });
  return prediction.ok ? domain.ok({ violationContexts: prediction.value.violationContexts }) : prediction;
}

interface ToExplain {
  readonly search: Iterable<void>;
  readonly policyIds: readonly string[];
  write(explanation: domain.Explanation | null, coverage: domain.ExceptionCoverage | null): Iterable<string>;
}

/** A prediction to explain: `search` is to be gone through before the rest is read. */
export function predictTemporalToExplain(
  index: domain.SodIndex,
  holder: domain.Holder,
  request: AccessRequest,
): Outcome<ToExplain> {
  // Without the limit of instants, which `validate-instants.test.ts` tests.
  const question = settleQuestion(index, holder, request);
  if (!question.ok) return question;
  const search = { budget: domain.createWorkBudget(BUDGET), keepsRuns: true };
  let found: domain.PredictionToExplain | null = null;
  return domain.ok({
    search: (function* () {
      found = yield* findToExplain(index, question.value, search);
    })(),
    get policyIds() {
      return found?.policyIds ?? [];
    },
    write: (explanation, coverage) => {
      const sink = { text: '' };
      const steps = found?.write(sink, explanation, coverage);
      return steps === undefined ? [] : piecesOf({ sink, steps });
    },
  });
}

export const predictToExplain = (index: domain.SodIndex, held: Held, accessRefs: readonly domain.AccessRef[]) =>
  predictTemporalToExplain(index, always(held), { accessRefs, nowMs: 0 });

/** The question of a check, and what its result may show. */
export interface CheckQuestion {
  readonly index: domain.SodIndex;
  readonly held: Held;
  readonly timed?: domain.Holder['timed'];
  readonly check: domain.IdentityWithNewAccess;
  readonly nowMs?: number;
  readonly coverage?: domain.ExceptionCoverage | null;
  readonly explanation?: domain.Explanation;
  readonly includes?: readonly domain.SodInclude[];
  readonly bounds?: ResultBounds;
  readonly stepWork?: number;
}

export const CHECK_BASIS = { policySetVersion: 1, asOf: '2026-01-01T00:00:00.000Z' };

/** A check that is concluded, with its result as text. */
export function concludeCheckAsText(question: CheckQuestion): domain.CheckOutcome {
  const { timed = null, nowMs = 0, stepWork = BUDGET, bounds, coverage = null, ...asked } = question;
  const { explanation = null, includes = explanation === null ? [] : ['via'], ...basis } = asked;
  const budget = domain.createWorkBudget(stepWork);
  const found = domain.runToEnd(findCheck({ ...basis, timed, nowMs, includes, budget }, bounds));
  return domain.runToEnd(found.conclude({ basis: CHECK_BASIS, coverage, explanation }));
}

/** A check that is concluded. */
export function concludeCheck(question: CheckQuestion): {
  readonly state: string;
  readonly result: Omit<domain.SodCheckResult, keyof domain.Basis>;
} {
  const { state, result } = concludeCheckAsText(question);
  const { policySetVersion: _, asOf: __, ...rest } = JSON.parse(result) as domain.SodCheckResult;
  return { state, result: rest };
}

export const remediateInSteps = (index: domain.SodIndex, accessStates: Iterable<domain.AccessState>) =>
  domain.remediate(index, accessStates, domain.createWorkBudget(BUDGET));

/** The text as one piece per pause; many pieces are empty. */
function* piecesOf({ sink, steps }: domain.TextSteps): Generator<string, void> {
  for (let step = steps.next(); ; step = steps.next()) {
    const { text } = sink;
    sink.text = '';
    yield text;
    if (step.done === true) return;
  }
}
