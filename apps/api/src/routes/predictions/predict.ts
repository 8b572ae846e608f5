import type { PREDICTIONS } from '@access-admin/contract';
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
import { predictOn, readPrediction, type SodReading } from '@access-admin/store';
import type { RequestContext } from '../../env.ts';
import type { Job } from '../../event-loop/jobs.ts';
import { type MaybePromise, whenReady } from '../../event-loop/maybe-promise.ts';
import type { Answer } from '../../http/answer.ts';
import type { Input } from '../../operations/route.ts';
import type { Services } from '../../services.ts';
import { openWithSlot } from '../../streaming/slot.ts';
import { streamJson } from '../../streaming/stream-json.ts';
import { decisionLogOf, type LogDecision, logging } from './decisions.ts';
import { type Beginning, beginLongWork, beginText, explainingFull, untilDeadline } from './long-answer.ts';

/** Answers what granting access to an identity would violate. */
export function predict(c: RequestContext, { caller, query, body }: PredictInput): MaybePromise<Answer> {
  if (query.include.length > 0) return explain(c, query.include, body);
  const { reader, jobs, system } = c.env.services;
  // Before the data: what is committed after the instant that the answer tells may be missing.
  const now = system.now();
  return whenReady<SodReading, Answer>(reader.read(caller.tenant, body.identityId), (reading) => {
    const pieces = predictPieces(reading, body, { now, log: decisionLogOf(c, body) });
    if (!pieces.ok) return pieces;
    const beginning = beginText(jobs, pieces.value);
    return beginning.rest === null ? streamJson(c, beginning.text) : answerLong(c, beginning);
  });
}

type PredictInput = Input<typeof PREDICTIONS.predict>;

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
async function answerLong(c: RequestContext, beginning: Beginning): Promise<Answer> {
  const { jobs } = c.env.services;
  const { job, slot } = beginLongWork(c);
  const text = await openWithSlot(slot, explainingFull, () => ok({ pieces: untilDeadline(jobs, job, beginning) }));
  return text.ok ? streamJson(c, text.value) : text;
}

async function explain(
  c: RequestContext,
  includes: readonly SodInclude[],
  question: IdentityWithNewAccess,
): Promise<Answer> {
  const { services } = c.env;
  const { job, slot } = beginLongWork(c);
  const log = decisionLogOf(c, question);
  const text = await openWithSlot(slot, explainingFull, async () => {
    const pieces = await explainPieces(services, { job, includes, log }, question);
    if (!pieces.ok) return pieces;
    return ok({ pieces: untilDeadline(services.jobs, job, { text: '', rest: pieces.value }) });
  });
  return text.ok ? streamJson(c, text.value) : text;
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
  { reader, store: { sod, reservations }, jobs, system }: Services,
  work: ExplainWork,
  question: IdentityWithNewAccess,
): Promise<Result<Generator<string>, Failure>> {
  const { job, includes, log } = work;
  await jobs.yield(job);
  const predicted = await readPrediction(
    { reader, sod, reservations, now: () => system.now().getTime() },
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
