import { identityWithNewAccess, parseStrictJson, SOD_BODY_BYTES_MAX, validate } from '@access-admin/contract';
import { batchLineFrame, fail, type IdentityWithNewAccess, ok, type Result } from '@access-admin/domain';
import { StorageUnavailable } from '@access-admin/store';
import { DeadlineExceeded, withinTime } from '../../event-loop/deadline.ts';
import { type ApiFailure, DEADLINE_EXCEEDED, problemBody, statusOf } from '../../http/problem.ts';
import { bodyTooLarge } from '../../http/read-body.ts';
import type { OperationHandler } from '../../operations/operation.ts';
import { decisionLogOf, type LogDecision } from './decisions.ts';
import { beginLongWork, beginText, explainingFull, type LongWork, untilDeadline } from './long-answer.ts';
import { type ExplainWork, explainPieces, type PredictDeps, predictPieces } from './predict.ts';

/** The work on the lines of a batch, each of which is a decision. */
interface BatchWork extends LongWork, Pick<ExplainWork, 'includes'> {
  readonly logOf: (request: IdentityWithNewAccess) => LogDecision | null;
}

type LineAnswer = Result<string | Iterable<string>, ApiFailure>;

/** Lines are refused so long before their request would be. */
const REFUSING_MS = 1_000;

/** start-predict-sod-violations-batch-v1: answers each line as a single request, in order, while the next ones are read. */
export const predictBatch =
  (deps: PredictDeps): OperationHandler<'start-predict-sod-violations-batch-v1'> =>
  (batch) => {
    const { caller, query, body, c } = batch;
    const { trackingId } = c.get('state');
    const { job, slot } = beginLongWork(deps, caller.tenant, c);
    const work = {
      job: { ...job, deadlineMs: job.deadlineMs - REFUSING_MS },
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
      }
    };
    return ok({ text: { pieces: answers(body) } });
  };

/** A line also ends where the storage does not answer in time. Its work then ends without an answer. */
const answerInTime = (deps: PredictDeps, work: BatchWork, line: string): Promise<LineAnswer> =>
  withinTime(
    answerLine(deps, work, line),
    { ms: deps.jobs.remainingMs(work.job), toError: () => new DeadlineExceeded() },
    // It may have acquired the slot meanwhile.
    { onOutcome: () => work.slot.release() },
  );

async function answerLine(deps: PredictDeps, work: BatchWork, line: string): Promise<LineAnswer> {
  const { jobs, reader, now } = deps;
  const { job, slot, includes, logOf } = work;
  jobs.check(job);
  if (Buffer.byteLength(line) > SOD_BODY_BYTES_MAX) return fail(bodyTooLarge(SOD_BODY_BYTES_MAX));
  const json = parseStrictJson(line);
  const request = json.ok ? validate(identityWithNewAccess, json.value) : json;
  if (!request.ok) return request;
  const log = logOf(request.value);
  const isExplained = includes.length > 0;
  const acquire = async () => {
    const acquired = await slot.acquire();
    return acquired.ok ? null : fail(explainingFull(acquired.failure));
  };
  const answer = async () => {
    if (isExplained) return (await acquire()) ?? explainPieces(deps, { job, includes, log }, request.value);
    const instant = now();
    const reading = await reader.read(job.tenant, request.value.identityId);
    return predictPieces(reading, request.value, { now: instant, log });
  };
  const pieces = await answer();
  if (!pieces.ok) return pieces;
  const beginning = beginText(jobs, pieces.value);
  jobs.check(job);
  if (beginning.rest === null) return ok(beginning.text);
  const refused = isExplained ? null : await acquire();
  return refused ?? ok(untilDeadline(jobs, job, beginning));
}

/** The lines after the deadline are refused one by one, so that those before it keep their answers. */
function refuse(error: unknown): Result<never, ApiFailure> {
  if (error instanceof DeadlineExceeded) return fail(DEADLINE_EXCEEDED);
  if (error instanceof StorageUnavailable) return fail({ type: 'Unavailable', causes: [] });
  throw error;
}
