import {
  explainedPredictionJson,
  type Failure,
  fail,
  failure,
  type IdentityWithNewAccess,
  ok,
  predictionJson,
  type Result,
  type SodInclude,
} from '@access-admin/domain';
import { predictOn, readPrediction, type SodReader, type SodReading, type SodStore } from '@access-admin/store';
import type { DecisionLog } from '@access-admin/telemetry';
import type { Job } from '../../event-loop/jobs.ts';
import type { MaybePromise } from '../../event-loop/maybe-promise.ts';
import type { ApiFailure } from '../../http/problem.ts';
import type { OperationHandler, OperationRequest, OperationResult } from '../../operations/operation.ts';
import { openWithSlot } from '../../streaming/slot.ts';
import { decisionLogOf, type LogDecision, logging } from './decisions.ts';
import {
  type Beginning,
  beginLongWork,
  beginText,
  explainingFull,
  type LongAnswerDeps,
  untilDeadline,
} from './long-answer.ts';

export interface PredictDeps extends LongAnswerDeps {
  readonly reader: SodReader;
  readonly sod: Pick<SodStore, 'readExplanation'>;
  readonly now: () => Date;
  /** Null where decisions are not logged. */
  readonly decisions: Pick<DecisionLog, 'write'> | null;
}

/** start-predict-sod-violations-v1 */
export const predictSodViolations = (deps: PredictDeps): OperationHandler<'start-predict-sod-violations-v1'> => {
  const { reader, now, decisions } = deps;
  return (request) => {
    const { caller, query, body } = request;
    if (query.include.length > 0) return explain(deps, request);
    // Before the data: what is committed after the instant that the answer tells may be missing.
    const instant = now();
    const answer = (reading: SodReading): MaybePromise<Result<OperationResult, ApiFailure>> => {
      const pieces = predictPieces(reading, body, { now: instant, log: decisionLogOf(decisions, request.c, body) });
      if (!pieces.ok) return pieces;
      const beginning = beginText(deps.jobs, pieces.value);
      return beginning.rest === null ? ok({ text: beginning.text }) : answerLong(deps, request, beginning);
    };
    const reading = reader.read(caller.tenant, body.identityId);
    return reading instanceof Promise ? reading.then(answer) : answer(reading);
  };
};

type PredictRequest = OperationRequest<'start-predict-sod-violations-v1'>;

/** The JSON of a prediction in pieces, which are made when they are taken. */
export function predictPieces(
  reading: SodReading,
  { accessRefs, at }: IdentityWithNewAccess,
  { now, log }: Asked,
): Result<Generator<string>, Failure> {
  const predicted = predictOn(reading, { accessRefs, at }, now.getTime());
  if (!predicted.ok) return fail(predicted.failure.failure);
  const { prediction, basis, coverage } = predicted.value;
  const parts = { basis, coverage, remediation: null, ...logging(log, { index: reading.index, basis }) };
  return ok(predictionJson(prediction, parts));
}

/** When a question is asked, and where its decision is logged; null where it is not. */
interface Asked {
  readonly now: Date;
  readonly log: LogDecision | null;
}

/** A prediction without includes that takes longer than a moment waits for a slot as well. */
async function answerLong(
  deps: PredictDeps,
  { caller: { tenant }, c }: PredictRequest,
  beginning: Beginning,
): Promise<Result<OperationResult, ApiFailure>> {
  const { job, slot } = beginLongWork(deps, tenant, c);
  return openWithSlot(slot, explainingFull, () => ok({ pieces: untilDeadline(deps.jobs, job, beginning) }));
}

async function explain(
  deps: PredictDeps,
  { c, caller, query, body }: PredictRequest,
): Promise<Result<OperationResult, ApiFailure>> {
  const { job, slot } = beginLongWork(deps, caller.tenant, c);
  const log = decisionLogOf(deps.decisions, c, body);
  return openWithSlot(slot, explainingFull, async () => {
    const pieces = await explainPieces(deps, { job, includes: query.include, log }, body);
    return pieces.ok ? ok({ pieces: untilDeadline(deps.jobs, job, { text: '', rest: pieces.value }) }) : pieces;
  });
}

/** Work on an explained prediction, and the optional parts that are asked for. */
export interface ExplainWork {
  readonly job: Job;
  readonly includes: readonly SodInclude[];
  readonly log: LogDecision | null;
}

/**
 * The JSON of an explained prediction in pieces. One begins in each turn of the event loop, and others go on while its violations
 * and its remediation are searched.
 */
export async function explainPieces(
  deps: PredictDeps,
  work: ExplainWork,
  question: IdentityWithNewAccess,
): Promise<Result<Generator<string>, Failure>> {
  const { reader, sod, jobs, now } = deps;
  const { job, includes, log } = work;
  await jobs.yield(job);
  const predicted = await readPrediction(
    { reader, sod, now: () => now().getTime() },
    { ...question, tenant: job.tenant, includes },
    jobs.pauseOf(job),
  );
  if (!predicted.ok) return predicted.failure === 'tooLarge' ? EXPLANATION_TOO_LARGE : fail(predicted.failure.failure);
  const { found, explanation, ...answered } = predicted.value;
  const shownCount = Math.min(found.violations.length, found.contextsMax);
  if ((explanation?.advisedCount ?? shownCount) < shownCount) return EXPLANATION_TOO_LARGE;
  const parts = { ...answered, ...logging(log, { index: found.index, basis: answered.basis }) };
  return ok(explanation === null ? predictionJson(found, parts) : explainedPredictionJson(found, explanation, parts));
}

const EXPLANATION_TOO_LARGE = fail(
  failure(
    'LimitExceeded',
    'include',
    'what explains the violations, roles, access profiles and advice of policies, is too large: drop "via", or request less at a time',
  ),
);
