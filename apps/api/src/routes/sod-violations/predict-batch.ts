import { identityWithNewAccess, parseStrictJson, SOD_BODY_BYTES_MAX, validate } from '@access-admin/contract';
import { fail, ok, type Result } from '@access-admin/domain';
import { StorageUnavailable } from '@access-admin/store';
import { DeadlineExceeded, withinTime } from '../../event-loop/deadline.ts';
import { endSteps } from '../../event-loop/pace.ts';
import { bodyTooLarge } from '../../http/read-body.ts';
import { type ApiFailure, DEADLINE_EXCEEDED, problemBody, statusOf } from '../../operations/problem.ts';
import type { OperationHandler } from '../../operations/request.ts';
import { roomFull } from '../answers/room-full.ts';
import {
  type Asked,
  EXPLAINING_FULL,
  type ExplainDeps,
  explainInPlace,
  includesOf,
  predictionText,
  writeInPlace,
} from './predict.ts';

type LineAnswer = Result<string | AsyncIterable<string>, ApiFailure>;

/** start-predict-sod-violations-batch-v1: answers each line as a single request, in order, while the next ones are read. */
export const predictBatch =
  (deps: ExplainDeps): OperationHandler =>
  (batch) => {
    const includes = includesOf(batch);
    if (!includes.ok) return includes;
    const { pace, explaining } = deps;
    const { caller, trackingId, body, exchange } = batch;
    const left = exchange.signal();
    const job = { ...pace.begin(caller.tenant, left), left };
    const place = explaining.open(caller.tenant, () => left);
    const asked = { job, place, includes: includes.value };
    const answers = async function* (lines: readonly string[]): AsyncGenerator<string> {
      const breathe = pace.breather(caller.tenant);
      for (const [index, line] of lines.entries()) {
        try {
          const answer = await answerInTime(deps, asked, line).catch(refuse);
          const status = answer.ok ? 200 : statusOf(answer.failure);
          yield `{"index":${index},"status":${status},"body":`;
          if (!answer.ok) yield JSON.stringify(problemBody(answer.failure, trackingId));
          else if (typeof answer.value === 'string') yield answer.value;
          else yield* answer.value;
          yield '}\n';
        } finally {
          place.release();
        }
        await breathe();
      }
    };
    return ok({ text: inChunks(answers(body as readonly string[])) });
  };

/** A line also ends where the storage does not answer in time. Its work then ends without an answer. */
const answerInTime = (deps: ExplainDeps, asked: Asked, line: string): Promise<LineAnswer> =>
  withinTime(
    answerLine(deps, asked, line),
    { ms: deps.pace.remainingMs(asked.job), isEffectKnown: true },
    {
      onOutcome: (late) => {
        if (late.ok && typeof late.value !== 'string') void late.value[Symbol.asyncIterator]().return?.();
      },
      onError: () => {},
    },
  );

async function answerLine(deps: ExplainDeps, asked: Asked, line: string): Promise<LineAnswer> {
  const { pace, reader, now } = deps;
  const { job, includes, place } = asked;
  pace.check(job);
  if (Buffer.byteLength(line) > SOD_BODY_BYTES_MAX) return fail(bodyTooLarge(SOD_BODY_BYTES_MAX) as ApiFailure);
  const json = parseStrictJson(line);
  const request = json.ok ? validate(identityWithNewAccess, json.value) : json;
  if (!request.ok) return request;
  if (includes.length > 0) {
    const taken = await place.take(1);
    return taken.ok ? explainInPlace(deps, asked, request.value) : fail(roomFull(taken.failure, EXPLAINING_FULL));
  }
  const instant = now();
  const text = predictionText(await reader.read(job.tenant, request.value.identityId), request.value, instant);
  if (!text.ok) return text;
  if (typeof text.value === 'string') return ok(text.value);
  const taken = await place.take(1);
  if (taken.ok) return writeInPlace(pace, asked, text.value);
  endSteps(text.value.steps);
  return fail(roomFull(taken.failure, EXPLAINING_FULL));
}

/** The lines after the deadline are refused one by one, so that those before it keep their answers. */
function refuse(error: unknown): Result<never, ApiFailure> {
  if (error instanceof DeadlineExceeded) return fail(DEADLINE_EXCEEDED);
  if (error instanceof StorageUnavailable) return fail({ type: 'Unavailable', causes: [] });
  throw error;
}

const CHUNK_LENGTH = 16 * 1024;

async function* inChunks(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let chunk = '';
  for await (const piece of pieces) {
    chunk += piece;
    if (chunk.length < CHUNK_LENGTH) continue;
    yield chunk;
    chunk = '';
  }
  yield chunk;
}
