import { identityWithNewAccess, parseStrictJson, SOD_BODY_BYTES_MAX, validate } from '@access-admin/contract';
import { batchLineFrame, fail, ok, type Result } from '@access-admin/domain';
import { StorageUnavailable } from '@access-admin/store';
import { DeadlineExceeded, withinTime } from '../../event-loop/deadline.ts';
import type { Pace } from '../../event-loop/pace.ts';
import { ended } from '../../http/connection.ts';
import { inChunks } from '../../http/pieces.ts';
import { type ApiFailure, DEADLINE_EXCEEDED, problemBody, statusOf } from '../../http/problem.ts';
import { bodyTooLarge } from '../../http/read-body.ts';
import type { OperationHandler } from '../../operations/operation.ts';
import { beginText, chunksOf, type LongWork, takeSlot } from './long-answer.ts';
import { type ExplainWork, explainChunks, type PredictDeps, predictPieces } from './predict.ts';

type LineAnswer = Result<string | AsyncIterable<string>, ApiFailure>;

/** start-predict-sod-violations-batch-v1: answers each line as a single request, in order, while the next ones are read. */
export const predictBatch =
  (deps: PredictDeps): OperationHandler<'start-predict-sod-violations-batch-v1'> =>
  (batch) => {
    const { pace, explaining } = deps;
    const { caller, query, body, c } = batch;
    const { trackingId } = c.get('state');
    const left = ended(c);
    const job = { ...pace.begin(caller.tenant, left), left };
    const slot = explaining.open(caller.tenant, () => left);
    const work = { job, slot, includes: query.include };
    const answers = async function* (lines: readonly string[]): AsyncGenerator<string> {
      const breathe = pace.breather(caller.tenant);
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
        await breathe();
      }
    };
    return ok({ text: inChunks(answers(body)) });
  };

/** A line also ends where the storage does not answer in time. Its work then ends without an answer. */
const answerInTime = (deps: PredictDeps, work: ExplainWork, line: string): Promise<LineAnswer> =>
  withinTime(
    answerLine(deps, work, line),
    { ms: deps.pace.remainingMs(work.job), toError: () => new DeadlineExceeded() },
    {
      onOutcome: (late) => {
        if (late.ok && typeof late.value !== 'string') void late.value[Symbol.asyncIterator]().return?.();
        // Iteration that never began does not give it back.
        work.slot.release();
      },
    },
  );

async function answerLine(deps: PredictDeps, work: ExplainWork, line: string): Promise<LineAnswer> {
  const { pace, reader, now } = deps;
  const { job, includes } = work;
  pace.check(job);
  if (Buffer.byteLength(line) > SOD_BODY_BYTES_MAX) return fail(bodyTooLarge(SOD_BODY_BYTES_MAX) as ApiFailure);
  const json = parseStrictJson(line);
  const request = json.ok ? validate(identityWithNewAccess, json.value) : json;
  if (!request.ok) return request;
  if (includes.length > 0) {
    const taken = await takeSlot(work);
    return taken.ok ? explainChunks(deps, work, request.value) : taken;
  }
  const instant = now();
  const pieces = predictPieces(await reader.read(job.tenant, request.value.identityId), request.value, instant);
  return pieces.ok ? answerPieces(pace, work, pieces.value) : pieces;
}

async function answerPieces(pace: Pace, work: LongWork, pieces: Iterable<string>): Promise<LineAnswer> {
  const beginning = beginText(pace, pieces);
  if (beginning.rest === null) return ok(beginning.text);
  const taken = await takeSlot(work);
  return taken.ok ? ok(await chunksOf(pace, work, beginning)) : taken;
}

/** The lines after the deadline are refused one by one, so that those before it keep their answers. */
function refuse(error: unknown): Result<never, ApiFailure> {
  if (error instanceof DeadlineExceeded) return fail(DEADLINE_EXCEEDED);
  if (error instanceof StorageUnavailable) return fail({ type: 'Unavailable', causes: [] });
  throw error;
}
