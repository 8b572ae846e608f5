import { identityWithNewAccess, parseStrictJson, SOD_BODY_BYTES_MAX, validate } from '@access-admin/contract';
import { ok, type Result, type TextSteps } from '@access-admin/domain';
import { StorageUnavailable } from '@access-admin/store';
import { bodyTooLarge } from '../../http/read-body.ts';
import { type ApiFailure, problemBody, statusOf } from '../../operations/problem.ts';
import type { OperationHandler } from '../../operations/request.ts';
import { type ExplainDeps, explainPrediction, includesOf, predictionText } from './predict.ts';

/** start-predict-sod-violations-batch-v1: answers each line as a single request, in order, while the next ones are read. */
export const predictBatch =
  (deps: ExplainDeps): OperationHandler =>
  (batch) => {
    const includes = includesOf(batch);
    if (!includes.ok) return includes;
    const { reader, pace, now } = deps;
    const { caller, trackingId, body } = batch;
    const asked = { tenant: caller.tenant, includes: includes.value };
    const predictOne = async (line: string): Promise<Result<string | TextSteps, ApiFailure>> => {
      if (Buffer.byteLength(line) > SOD_BODY_BYTES_MAX)
        return { ok: false, failure: bodyTooLarge(SOD_BODY_BYTES_MAX) as ApiFailure };
      const json = parseStrictJson(line);
      const request = json.ok ? validate(identityWithNewAccess, json.value) : json;
      if (!request.ok) return request;
      if (asked.includes.length > 0) return explainPrediction(deps, asked, request.value);
      return predictionText(await reader.read(caller.tenant, request.value.identityId), request.value, now());
    };
    const answers = async function* (lines: readonly string[]): AsyncGenerator<string> {
      for (const [index, line] of lines.entries()) {
        const answer = await predictOne(line).catch(refuseUnavailable);
        const status = answer.ok ? 200 : statusOf(answer.failure);
        yield `{"index":${index},"status":${status},"body":`;
        if (!answer.ok) yield JSON.stringify(problemBody(answer.failure, trackingId));
        else if (typeof answer.value === 'string') yield answer.value;
        else yield* pace.text(answer.value);
        yield '}\n';
      }
    };
    return ok({ text: inChunks(answers(body as readonly string[])) });
  };

function refuseUnavailable(error: unknown): Result<never, ApiFailure> {
  if (!(error instanceof StorageUnavailable)) throw error;
  return { ok: false, failure: { type: 'Unavailable', causes: [] } };
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
