import { EVENT_BYTES_MAX, EVENT_STREAMS_MAX, parseSequence, writeCloudEvent } from '@access-admin/contract';
import {
  type Caller,
  type EventType,
  type Failure,
  fail,
  ok,
  type Result,
  readableEventTypes,
  showSequence,
} from '@access-admin/domain';
import { createSemaphore, type Scheduler } from '@access-admin/scheduling';
import type { EventPlaces, EventRange, EventStore } from '@access-admin/store';
import type { Authenticate } from '../../auth/authenticate.ts';
import { addressOf } from '../../auth/base-address.ts';
import { presentCaller, watchCaller } from '../../auth/watch-caller.ts';
import { requestClosed } from '../../http/connection.ts';
import type { ApiFailure, Gone } from '../../http/problem.ts';
import { refusalOfStream } from '../../middleware/errors.ts';
import type { OperationHandlers, OperationRequest, OperationResult } from '../../operations/operation.ts';
import { jsonArrayOf } from '../../streaming/records.ts';
import type { RequestLog } from '../../telemetry/request-log.ts';
import { noCapacity } from '../answers/no-capacity.ts';
import { parsePreferWait } from '../checks/prefer.ts';
import { type EventFormat, formatOf } from './accept.ts';
import type { AwaitEvents } from './await-events.ts';
import { type EventStreamDeps, streamEvents } from './stream.ts';
import { readWhole } from './whole-page.ts';

export interface EventParts {
  readonly events: EventStore;
  readonly awaitEvents: AwaitEvents;
  readonly authenticate: Authenticate;
  readonly baseAddress: string;
  readonly scheduler: Pick<Scheduler, 'yield'>;
  readonly log: Pick<RequestLog, 'error'>;
  /** Monotonic, in ms. */
  readonly elapsed: () => number;
  /** Aborted when the service stops. */
  readonly stopping: AbortSignal;
}

/** A reader that takes nothing is cut off before. */
const BYTES_WAIT_MS_MAX = 20_000;
const FULL = 'The tenant reads too many streams of events at once: end some of them.';

/** The operation that reads events. */
export function eventHandlers({ log, ...parts }: EventParts) {
  const { elapsed } = parts;
  // Streams, and reads that wait.
  const readers = createSemaphore({ capacity: EVENT_STREAMS_MAX, waitingMax: 0, waitMsMax: 0, elapsed });
  const bytes = createSemaphore({
    capacity: EVENT_BYTES_MAX,
    waitingMax: 2 * EVENT_STREAMS_MAX,
    waitMsMax: BYTES_WAIT_MS_MAX,
    elapsed,
  });
  const deps: EventDeps = { ...parts, bytes, onError: (error, trackingId) => refusalOfStream(error, trackingId, log) };
  return {
    'list-events-v1': async (request) => {
      const format = formatOf(request.c);
      const after = afterOf(request, format);
      if (!after.ok) return after;
      const waitMs = parsePreferWait(request.c.req.header('prefer')) * 1000;
      if (format !== 'stream' && waitMs === 0) return answerPage(request, format, after.value, waitMs, deps);
      const slot = readers.open(request.caller.tenant);
      const acquired = await slot.acquire();
      if (!acquired.ok) return fail(noCapacity(acquired.failure, FULL));
      let isStreaming = false;
      try {
        if (format !== 'stream') return await answerPage(request, format, after.value, waitMs, deps);
        const answer = await answerStream(request, after.value, () => slot.release(), deps);
        isStreaming = answer.ok;
        return answer;
      } finally {
        if (!isStreaming) slot.release();
      }
    },
  } satisfies Partial<OperationHandlers>;
}

type EventsRequest = OperationRequest<'list-events-v1'>;
type Answer = Promise<Result<OperationResult, ApiFailure>>;

/** The sequence to go on after; null for the oldest kept events. A reader that reconnects has seen more than it began with. */
function afterOf({ c, query }: EventsRequest, format: EventFormat): Result<number | null, Failure> {
  const lastEventId = format === 'stream' ? (c.req.header('last-event-id') ?? '') : '';
  return lastEventId === '' ? ok(query.after) : parseSequence(lastEventId, 'Last-Event-ID');
}

interface EventDeps extends EventStreamDeps {
  readonly events: EventStore;
  readonly authenticate: Authenticate;
  readonly baseAddress: string;
}

async function answerPage(
  request: EventsRequest,
  format: Exclude<EventFormat, 'stream'>,
  after: number | null,
  waitMs: number,
  deps: EventDeps,
): Answer {
  const { events, awaitEvents, authenticate, baseAddress, stopping } = deps;
  const { caller, query, c } = request;
  const { tenant } = caller;
  const { limit } = query;
  const over = AbortSignal.any([AbortSignal.timeout(waitMs), requestClosed(c), stopping]);
  let types = visible(query.types, caller);
  let found = await events.find(tenant, { after: after ?? undefined, types, limit });
  while (waitMs > 0 && !found.isGone && found.places.length === 0 && !over.aborted) {
    if (found.through === found.range.last) await awaitEvents({ tenant, after: found.through, types }, over);
    const present = await presentCaller(authenticate, request);
    if (!present.ok) return present;
    types = visible(query.types, present.value);
    found = await events.find(tenant, { after: found.through, types, limit });
  }
  if (found.isGone) return fail(gone(found));
  const headers = { ...rangeHeaders(found.range), 'x-last-sequence': showSequence(found.through) };
  const shown = format === 'ndjson' ? { ...headers, 'content-type': 'application/x-ndjson' } : headers;
  if (found.places.length === 0) return ok({ headers: shown, text: EMPTY[format] });
  const whole = await readWhole(events, tenant, found);
  if (whole === null) {
    // A reader without a place begins with the oldest event that is left.
    if (after === null) return answerPage(request, format, after, waitMs, deps);
    return fail(gone({ range: await events.head(tenant), through: after }));
  }
  const texts = textsOf(whole, addressOf(baseAddress, tenant));
  return ok({ headers: shown, text: { pieces: format === 'ndjson' ? toLines(texts) : jsonArrayOf(texts) } });
}

const EMPTY = { json: '[]', ndjson: '' };

async function answerStream(request: EventsRequest, after: number | null, onEnd: () => void, deps: EventDeps): Answer {
  const { events, baseAddress } = deps;
  const { c, caller, query } = request;
  const { tenant } = caller;
  const found = await events.find(tenant, { after: after ?? undefined, types: [], limit: 1 });
  if (found.isGone) return fail(gone(found));
  const headers = {
    ...rangeHeaders(found.range),
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    // Proxies would hold back events otherwise.
    'x-accel-buffering': 'no',
  };
  if (c.req.method === 'HEAD') {
    onEnd();
    return ok({ headers, stream: null });
  }
  const reader = {
    tenant,
    source: addressOf(baseAddress, tenant),
    after: after ?? found.range.oldest - 1,
    known: found.range.last,
    types: visible(query.types, caller),
    watchTypes: (update: (types: readonly EventType[] | null) => void) =>
      watchCaller(deps, request, (present) => update(present.ok ? visible(query.types, present.value) : null)),
    onEnd,
  };
  return ok({ headers, stream: streamEvents(c, reader, deps) });
}

function visible(types: readonly EventType[], caller: Caller): readonly EventType[] {
  const readable = new Set(readableEventTypes(caller));
  return types.filter((type) => readable.has(type));
}

const rangeHeaders = ({ oldest, last }: EventRange) => ({
  'x-oldest-sequence': showSequence(oldest),
  'x-last-sequence': showSequence(last),
});

function gone({ range, through }: Pick<EventPlaces, 'range' | 'through'>): Gone {
  const text =
    through > range.last
      ? `must be at most ${showSequence(range.last)}, the last event: events beyond it are gone, for example with a database that was put back`
      : `must be at least ${showSequence(range.oldest - 1)}: earlier events are no longer kept`;
  return { type: 'Gone', causes: [{ at: 'after', text }], headers: rangeHeaders(range) };
}

async function* textsOf(events: ReturnType<EventStore['readAt']>, source: string): AsyncGenerator<string> {
  for await (const event of events) yield writeCloudEvent(event, source);
}

async function* toLines(texts: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const text of texts) yield `${text}\n`;
}
