import { identityWithNewAccess, parseStrictJson, SOD_BODY_BYTES_MAX, validate } from '@access-admin/contract';
import { batchLineFrame, fail, type IdentityWithNewAccess, ok, type Result } from '@access-admin/domain';
import { StorageUnavailable } from '@access-admin/store';
import { DeadlineExceeded, withinTime } from '../../event-loop/deadline.ts';
import type { Jobs } from '../../event-loop/jobs.ts';
import { requestClosed } from '../../http/connection.ts';
import { inChunks } from '../../http/pieces.ts';
import { type ApiFailure, DEADLINE_EXCEEDED, problemBody, statusOf } from '../../http/problem.ts';
import { bodyTooLarge } from '../../http/read-body.ts';
import type { OperationHandler } from '../../operations/operation.ts';
import { decisionLogOf, type LogDecision } from './decisions.ts';
import { acquireSlot, beginText, chunksOf, type LongWork } from './long-answer.ts';
import { type ExplainWork, explainChunks, type PredictDeps, predictPieces } from './predict.ts';

/** The work on the lines of a batch, each of which is a decision. */
interface BatchWork extends Omit<ExplainWork, 'log'> {
  readonly logOf: (request: IdentityWithNewAccess) => LogDecision | null;
}

type LineAnswer = Result<string | AsyncIterable<string>, ApiFailure>;

/** start-predict-sod-violations-batch-v1: answers each line as a single request, in order, while the next ones are read. */
export const predictBatch =
  (deps: PredictDeps): OperationHandler<'start-predict-sod-violations-batch-v1'> =>
  (batch) => {
    const { jobs, explaining } = deps;
    const { caller, query, body, c } = batch;
    const { trackingId } = c.get('state');
    const left = requestClosed(c);
    const job = { ...jobs.begin(caller.tenant, left), left };
    const slot = explaining.open(caller.tenant, { signal: () => left });
    const work = {
      job,
      slot,
      includes: query.include,
      logOf: (request: IdentityWithNewAccess) => decisionLogOf(deps.decisions, c, request),
    };
    const answers = async function* (lines: readonly string[]): AsyncGenerator<string> {
      for (const [index, line] of lines.entries()) {
        try {
          const answer = await answerInTime(deps, work, line).catch(refuse);
          const [opening, closing] = batchLineFrame({ index, status: answer.ok ? 200 : statusOf(answer.failure) });
          yield opening;
          if (!answer.ok) yield JSON.stringify(problemBody(answer.failure, trackingId));
          else if (typeof answer.value === 'string') yield answer.value;
          else yield* answer.value;
          yield closing;
        } finally {
          slot.release();
        }
        await jobs.yieldIfDue(caller.tenant);
      }
    };
    return ok({ text: inChunks(answers(body)) });
  };

/** A line also ends where the storage does not answer in time. Its work then ends without an answer. */
const answerInTime = (deps: PredictDeps, work: BatchWork, line: string): Promise<LineAnswer> =>
  withinTime(
    answerLine(deps, work, line),
    { ms: deps.jobs.remainingMs(work.job), toError: () => new DeadlineExceeded() },
    {
      onOutcome: (late) => {
        if (late.ok && typeof late.value !== 'string') void late.value[Symbol.asyncIterator]().return?.();
        // Iteration that never began does not give it back.
        work.slot.release();
      },
    },
  );

async function answerLine(deps: PredictDeps, work: BatchWork, line: string): Promise<LineAnswer> {
  const { jobs, reader, now } = deps;
  const { job, includes, logOf } = work;
  jobs.check(job);
  if (Buffer.byteLength(line) > SOD_BODY_BYTES_MAX) return fail(bodyTooLarge(SOD_BODY_BYTES_MAX));
  const json = parseStrictJson(line);
  const request = json.ok ? validate(identityWithNewAccess, json.value) : json;
  if (!request.ok) return request;
  if (includes.length > 0) {
    const acquired = await acquireSlot(work);
    return acquired.ok ? explainChunks(deps, { ...work, log: logOf(request.value) }, request.value) : acquired;
  }
  const asked = { now: now(), log: logOf(request.value) };
  const pieces = predictPieces(await reader.read(job.tenant, request.value.identityId), request.value, asked);
  return pieces.ok ? answerPieces(jobs, work, pieces.value) : pieces;
}

async function answerPieces(jobs: Jobs, work: LongWork, pieces: Iterable<string>): Promise<LineAnswer> {
  const beginning = beginText(jobs, pieces);
  if (beginning.rest === null) return ok(beginning.text);
  const acquired = await acquireSlot(work);
  return acquired.ok ? ok(await chunksOf(jobs, work, beginning)) : acquired;
}

/** The lines after the deadline are refused one by one, so that those before it keep their answers. */
function refuse(error: unknown): Result<never, ApiFailure> {
  if (error instanceof DeadlineExceeded) return fail(DEADLINE_EXCEEDED);
  if (error instanceof StorageUnavailable) return fail({ type: 'Unavailable', causes: [] });
  throw error;
}
