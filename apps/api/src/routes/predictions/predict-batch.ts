import {
  identityWithNewAccess,
  type PREDICTIONS,
  parseStrictJson,
  SOD_BODY_BYTES_MAX,
  validate,
} from '@access-admin/contract';
import { batchLineFrame, fail, type IdentityWithNewAccess, ok, type Result } from '@access-admin/domain';
import { StorageUnavailable } from '@access-admin/store';
import type { RequestContext } from '../../env.ts';
import { DeadlineExceeded, withinTime } from '../../event-loop/deadline.ts';
import type { MaybePromise } from '../../event-loop/maybe-promise.ts';
import { type ApiFailure, DEADLINE_EXCEEDED, problemBody, statusOf } from '../../http/problem.ts';
import { bodyTooLarge } from '../../http/read-body.ts';
import type { Input } from '../../operations/route.ts';
import type { Services } from '../../services.ts';
import { streamJson } from '../../streaming/stream-json.ts';
import { decisionLogOf, type LogDecision } from './decisions.ts';
import { beginLongWork, beginText, explainingFull, type LongWork, untilDeadline } from './long-answer.ts';
import { type ExplainWork, explainPieces, predictPieces } from './predict.ts';

/** The work on the lines of a batch, each of which is a decision. */
interface BatchWork extends LongWork, Pick<ExplainWork, 'includes'> {
  readonly logOf: (request: IdentityWithNewAccess) => LogDecision | null;
}

type LineAnswer = Result<string | Iterable<string>, ApiFailure>;

/** How long before the request's deadline its remaining lines are refused. */
const REFUSING_MS = 1_000;

/** Answers each line as a single request, in order, while the next ones are read. */
export function predictBatch(
  c: RequestContext,
  { query, body }: Input<typeof PREDICTIONS.predictBatch>,
): MaybePromise<Response> {
  const { services, state } = c.env;
  const { job, slot } = beginLongWork(c);
  const work = {
    job: { ...job, deadlineMs: job.deadlineMs - REFUSING_MS },
    slot,
    includes: query.include,
    logOf: (request: IdentityWithNewAccess) => decisionLogOf(c, request),
  };
  const answers = async function* (lines: readonly string[]): AsyncGenerator<string> {
    for (const [index, line] of lines.entries()) {
      try {
        const answer = await answerInTime(services, work, line).catch(refuse);
        const [opening, closing] = batchLineFrame({ index, status: answer.ok ? 200 : statusOf(answer.failure) });
        yield opening;
        if (!answer.ok) yield JSON.stringify(problemBody(answer.failure, state.trackingId));
        else if (typeof answer.value === 'string') yield answer.value;
        else yield* answer.value;
        yield closing;
      } finally {
        slot.release();
      }
    }
  };
  return streamJson(c, { pieces: answers(body) }, { 'content-type': 'application/x-ndjson' });
}

/** A line also ends where the storage does not answer in time. Its work then ends without an answer. */
const answerInTime = (services: Services, work: BatchWork, line: string): Promise<LineAnswer> =>
  withinTime(
    answerLine(services, work, line),
    { ms: services.jobs.remainingMs(work.job), toError: () => new DeadlineExceeded() },
    // It may have acquired the slot meanwhile.
    { onOutcome: () => work.slot.release() },
  );

async function answerLine(services: Services, work: BatchWork, line: string): Promise<LineAnswer> {
  const { jobs, reader, system } = services;
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
    if (isExplained) return (await acquire()) ?? explainPieces(services, { job, includes, log }, request.value);
    const now = system.now();
    const reading = await reader.read(job.tenant, request.value.identityId);
    return predictPieces(reading, request.value, { now, log });
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
