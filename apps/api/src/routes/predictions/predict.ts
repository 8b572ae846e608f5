import {
  accessStatesOf,
  coverageOf,
  type Explanation,
  explainedPredictionJson,
  type Failure,
  type FoundPrediction,
  fail,
  failure,
  type IdentityWithNewAccess,
  ok,
  type Prediction,
  policyIdsOf,
  predict,
  predictionJson,
  type Remediation,
  type Result,
  type SodInclude,
  searchRemediation,
} from '@access-admin/domain';
import { readExplained, type SodReader, type SodReading, type SodStore, StorageUnavailable } from '@access-admin/store';
import type { DecisionLog } from '@access-admin/telemetry';
import type { Jobs } from '../../event-loop/jobs.ts';
import type { MaybePromise } from '../../event-loop/maybe-promise.ts';
import type { ApiFailure } from '../../http/problem.ts';
import type { OperationHandler, OperationRequest, OperationResult } from '../../operations/operation.ts';
import { decisionLogOf, type LogDecision, logging } from './decisions.ts';
import { acquireSlot, beginLongWork, beginText, chunksOf, type LongAnswerDeps, type LongWork } from './long-answer.ts';

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
): Result<Iterable<string>, Failure> {
  const request = { accessRefs, at, nowMs: now.getTime() };
  const prediction = predict(reading.index, reading, request);
  if (!prediction.ok) return prediction;
  const { index, exceptions } = reading;
  const coverage = exceptions === null ? null : coverageOf(exceptions, { index, holder: reading, request });
  const basis = basisOf(reading, now);
  const parts = { basis, coverage, remediation: null, ...logging(log, { index, basis }) };
  return ok(predictionJson(prediction.value, parts));
}

/** When a question is asked, and where its decision is logged; null where it is not. */
interface Asked {
  readonly now: Date;
  readonly log: LogDecision | null;
}

const basisOf = ({ policySetVersion }: SodReading, now: Date) => ({ policySetVersion, asOf: now.toISOString() });

/** A prediction without includes that takes longer than a moment waits for a slot as well. */
async function answerLong(
  deps: PredictDeps,
  { caller: { tenant }, c }: PredictRequest,
  beginning: ReturnType<typeof beginText>,
): Promise<Result<OperationResult, ApiFailure>> {
  const work = beginLongWork(deps, tenant, c);
  const acquired = await acquireSlot(work);
  return acquired.ok ? ok({ text: await chunksOf(deps.jobs, work, beginning) }) : acquired;
}

async function explain(
  deps: PredictDeps,
  { c, caller, query, body }: PredictRequest,
): Promise<Result<OperationResult, ApiFailure>> {
  const work = beginLongWork(deps, caller.tenant, c);
  const acquired = await acquireSlot(work);
  if (!acquired.ok) return acquired;
  const log = decisionLogOf(deps.decisions, c, body);
  const chunks = await explainChunks(deps, { ...work, includes: query.include, log }, body);
  return chunks.ok ? ok({ text: chunks.value }) : chunks;
}

/** Work that has a slot, and the optional parts that are asked for. */
export interface ExplainWork extends LongWork {
  readonly includes: readonly SodInclude[];
  readonly log: LogDecision | null;
}

/** An explained prediction up to its first chunk. One begins in each turn of the event loop. */
export async function explainChunks(
  deps: PredictDeps,
  work: ExplainWork,
  question: IdentityWithNewAccess,
): Promise<Result<AsyncIterable<string>, ApiFailure>> {
  let isWritten = false;
  try {
    await deps.jobs.yield(work.job);
    const pieces = await explainPieces(deps, work, question);
    if (!pieces.ok) return pieces;
    isWritten = true;
    return ok(await chunksOf(deps.jobs, work, { text: '', rest: pieces.value[Symbol.iterator]() }));
  } finally {
    if (!isWritten) work.slot.release();
  }
}

/** All violations of a prediction, as of an instant. */
interface Found {
  readonly found: FoundPrediction;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
}

/** The JSON of an explained prediction in pieces. Others go on while it is searched for the first of them. */
async function explainPieces(
  { reader, sod, jobs, now }: PredictDeps,
  { job, includes, log }: ExplainWork,
  question: IdentityWithNewAccess,
): Promise<Result<Iterable<string>, Failure>> {
  const { identityId, accessRefs, at } = question;
  const explained = await readExplained<Result<Found, Failure>>(
    { reader, sod, now: () => now().getTime() },
    { tenant: job.tenant, identityId, accessRefs, includes },
    async (reading, nowMs) => {
      const prediction = predict(reading.index, reading, { accessRefs, at, nowMs, includes });
      if (!prediction.ok) return { outcome: prediction, policyIds: [] };
      const found = await findAll(jobs, job, prediction.value);
      return { outcome: ok({ found, nowMs }), policyIds: policyIdsOf(found) };
    },
  );
  if (explained === null) throw new StorageUnavailable('What explains a prediction changed whenever it was read.');
  const { reading, outcome, explanation } = explained;
  if (!outcome.ok) return outcome;
  const { found, nowMs } = outcome.value;
  const shownCount = Math.min(found.violations.length, found.contextsMax);
  if (explanation === 'tooLarge' || (explanation?.advisedCount ?? shownCount) < shownCount)
    return fail(failure('LimitExceeded', 'include', EXPLANATION_TOO_LARGE));
  const request = { accessRefs, at, nowMs };
  const basis = basisOf(reading, new Date(nowMs));
  const parts = {
    basis,
    ...logging(log, { index: reading.index, basis }),
    coverage: coverageOf(reading.exceptions, { index: reading.index, holder: reading, request }),
    remediation: includes.includes('remediation')
      ? await findRemediation(jobs, job, { found, explanation, request })
      : null,
  };
  return ok(
    explanation !== null && includes.includes('via')
      ? explainedPredictionJson(found, explanation, parts)
      : predictionJson(found, parts),
  );
}

/** Finds all violations; the event loop turns in between. */
async function findAll(jobs: Jobs, job: LongWork['job'], prediction: Prediction): Promise<FoundPrediction> {
  const pause = jobs.pauseOf(job);
  const violations: FoundPrediction['violations'][number][] = [];
  for (const violation of prediction.violations) {
    if (violation !== null) violations.push(violation);
    const waiting = pause();
    // Awaiting nothing would take longer than finding most violations.
    if (waiting !== undefined) await waiting;
  }
  return { ...prediction, violations };
}

interface Remedied {
  readonly found: FoundPrediction;
  /** Null without a violation. */
  readonly explanation: Explanation | null;
  readonly request: { readonly at?: string | null | undefined; readonly nowMs: number };
}

/** Finds what to drop and to revoke; the event loop turns in between. */
async function findRemediation(
  jobs: Jobs,
  job: LongWork['job'],
  { found, explanation, request }: Remedied,
): Promise<Remediation> {
  const search = searchRemediation(found.index, explanation === null ? [] : accessStatesOf(explanation, request));
  await jobs.yield(job);
  const pause = jobs.pauseOf(job);
  for (;;) {
    const step = search.next();
    if (step.done === true) return step.value;
    const waiting = pause();
    if (waiting !== undefined) await waiting;
  }
}

const EXPLANATION_TOO_LARGE =
  'what explains the violations, roles, access profiles and advice of policies, is too large: drop "via", or request less at a time';
