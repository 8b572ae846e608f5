import { decodeUtf8, type RequestBody } from '@access-admin/contract';
import type { Failure, Result } from '@access-admin/domain';
import type { RequestContext } from '../env.ts';
import type { MaybePromise } from '../event-loop/maybe-promise.ts';
import { callerOf } from '../http/caller.ts';
import { requestClosed } from '../http/connection.ts';
import { readBody } from '../http/read-body.ts';
import type { RequestState } from '../http/request-state.ts';
import { authorize } from './authorize.ts';
import type { Step } from './step.ts';

/**
 * Reads and parses the body that an operation takes (413, 400). Its caller may lose rights while it arrives, and is authenticated
 * and authorized again afterwards. A large body holds memory until it is parsed or, with `keepsBody`, until the work on the request
 * and its answer have ended.
 */
export const receiveBody =
  (expected: ExpectedBody, authenticate: Step): Step =>
  async (c, operation) => {
    const { state, services } = c.env;
    const { tenant } = callerOf(c);
    const openSlot = () =>
      (state.bodySlot ??= services.semaphores.bodies.open(tenant, { signal: () => requestClosed(c) }));
    const bytes = await readBody(c, { bytesMax: expected.bytesMax, openSlot });
    if (!bytes.ok) return bytes.failure;
    const parsing = parseBody(c, expected, bytes.value);
    const parsed = parsing instanceof Promise ? await parsing : parsing;
    if (!parsed.ok) return parsed.failure;
    if (!operation.keepsBody) state.bodySlot?.release();
    state.body = parsed.value;
    // What came whole with the head of a question has left no time to lose rights.
    if (operation.hasNoEffect && services.turnOfLoop() === state.turn) return null;
    const refusal = authenticate(c, operation);
    return (refusal instanceof Promise ? await refusal : refusal) ?? authorize(c, operation);
  };

type ExpectedBody = Pick<RequestBody, 'bytesMax' | 'isOptional' | 'parse'>;

/** Releases the memory of a large body once neither work nor answer uses it any more. */
export async function releaseBody({ bodySlot, work, streamed }: RequestState): Promise<void> {
  await Promise.allSettled([work, streamed]);
  bodySlot?.release();
}

/** Many requests may arrive in one turn of the event loop. In 4 KiB there are some dozen items, which take a tenth of a millisecond. */
const PARSED_AT_ONCE_BYTES_MAX = 4_096;

/** Larger bodies are parsed one per turn of the event loop. */
function parseBody(
  c: RequestContext,
  expected: ExpectedBody,
  bytes: Uint8Array,
): MaybePromise<Result<unknown, Failure>> {
  const { jobs } = c.env.services;
  const job = jobs.begin(callerOf(c).tenant, null);
  const pause = () => jobs.yield(job);
  const parseNow = () => {
    const decoded = decodeUtf8(bytes);
    if (!decoded.ok) return decoded;
    return expected.parse(decoded.value === '' && expected.isOptional ? '{}' : decoded.value, pause);
  };
  return bytes.byteLength <= PARSED_AT_ONCE_BYTES_MAX ? parseNow() : pause().then(parseNow);
}
