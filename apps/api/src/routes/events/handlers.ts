import { EVENT_STREAMS_MAX } from '@access-admin/contract';
import {
  authorize,
  type Caller,
  type EventType,
  fail,
  ok,
  type Result,
  readableEventTypes,
  showSequence,
  writeCloudEvent,
} from '@access-admin/domain';
import type { EventPlaces, EventRange, Store } from '@access-admin/store';
import type { Authenticate } from '../../auth/authenticate.ts';
import { addressOf } from '../../auth/base-address.ts';
import { endWithin } from '../../http/connection.ts';
import type { ApiFailure, Gone } from '../../http/problem.ts';
import { withOnEnd } from '../../http/with-on-end.ts';
import type {
  OperationHandler,
  OperationHandlers,
  OperationRequest,
  OperationResult,
} from '../../operations/operation.ts';
import { createSharedRoom, type SharedRoom } from '../../rooms/shared-room.ts';
import { roomFull } from '../answers/room-full.ts';
import { parsePreferWait } from '../sod-violations/prefer.ts';
import { type AwaitEvents, createAwaitEvents } from './await-events.ts';
import { type EventsRequest, parseEventsRequest } from './query.ts';
import { writeEventStream } from './stream.ts';
import { readWhole } from './whole-page.ts';

export interface EventDeps {
  readonly store: Pick<Store, 'events' | 'onCommit'>;
  readonly baseAddress: string;
  readonly authenticate: Authenticate;
  /** Aborted when the service stops. */
  readonly stopping: AbortSignal;
  /** Monotonic, in ms. */
  readonly elapsed: () => number;
}

interface ReadDeps extends EventDeps {
  readonly awaitEvents: AwaitEvents;
  /** Places of streams, and of reads that wait. */
  readonly room: SharedRoom;
}

const FULL = 'The tenant reads too many streams of events at once: end some of them.';

export const eventHandlers = (deps: EventDeps) => {
  const { store, elapsed } = deps;
  const awaitEvents = createAwaitEvents({ ...store, elapsed });
  const room = createSharedRoom({ size: EVENT_STREAMS_MAX, waitingMax: 0, waitMsMax: 0, elapsed });
  return { 'list-events-v1': listEvents({ ...deps, awaitEvents, room }) } satisfies Partial<OperationHandlers>;
};

/** list-events-v1 */
const listEvents =
  (deps: ReadDeps): OperationHandler =>
  async (request) => {
    const asked = parseEventsRequest(request);
    if (!asked.ok) return asked;
    const waitMs = parsePreferWait(request.c.req.header('prefer')) * 1000;
    if (asked.value.format !== 'stream' && waitMs === 0) return answerPage(request, asked.value, { ...deps, waitMs });
    const place = deps.room.open(request.caller.tenant);
    const taken = await place.take(1);
    if (!taken.ok) return fail(roomFull(taken.failure, FULL));
    let isStreaming = false;
    try {
      if (asked.value.format !== 'stream') return await answerPage(request, asked.value, { ...deps, waitMs });
      const answer = await answerStream(request, asked.value, { ...deps, onEnd: () => place.release() });
      isStreaming = answer.ok;
      return answer;
    } finally {
      if (!isStreaming) place.release();
    }
  };

type Answer = Promise<Result<OperationResult, ApiFailure>>;

async function answerPage(
  request: OperationRequest,
  asked: EventsRequest,
  deps: ReadDeps & { readonly waitMs: number },
): Answer {
  const { store, stopping, awaitEvents, waitMs } = deps;
  const { caller, c } = request;
  const { tenant } = caller;
  const { limit, format } = asked;
  const ended = AbortSignal.any([AbortSignal.timeout(waitMs), ended(c), stopping]);
  let types = visible(asked.types, caller);
  let found = await store.events.find(tenant, { after: asked.after ?? undefined, types, limit });
  while (waitMs > 0 && !found.isGone && found.places.length === 0 && !ended.aborted) {
    if (found.through === found.range.last) await awaitEvents(tenant, found.through, ended);
    const present = await presentCaller(request, deps);
    if (!present.ok) return present;
    types = visible(asked.types, present.value);
    found = await store.events.find(tenant, { after: found.through, types, limit });
  }
  if (found.isGone) return fail(gone(found));
  const headers = { ...rangeHeaders(found.range), 'x-last-sequence': showSequence(found.through) };
  const shown = format === 'ndjson' ? { ...headers, 'content-type': 'application/x-ndjson' } : headers;
  if (found.places.length === 0) return ok({ headers: shown, text: EMPTY[format] });
  const events = await readWhole(store.events, tenant, found);
  if (events === null) {
    // A reader without a place begins with the oldest event that is left.
    if (asked.after === null) return answerPage(request, asked, deps);
    return fail(gone({ range: await store.events.head(tenant), through: asked.after }));
  }
  const texts = textsOf(events, addressOf(deps.baseAddress, tenant));
  return ok({ headers: shown, text: format === 'ndjson' ? toLines(texts) : toArray(texts) });
}

const EMPTY = { json: '[]', ndjson: '', stream: '' };

async function answerStream(
  request: OperationRequest,
  asked: EventsRequest,
  deps: ReadDeps & { readonly onEnd: () => void },
): Answer {
  const { store, stopping, baseAddress, onEnd } = deps;
  const { tenant } = request.caller;
  const found = await store.events.find(tenant, { after: asked.after ?? undefined, types: [], limit: 1 });
  if (found.isGone) return fail(gone(found));
  const left = ended(request.c);
  const text = writeEventStream(
    {
      ...{ tenant, source: addressOf(baseAddress, tenant), after: asked.after ?? found.range.oldest - 1 },
      left: AbortSignal.any([left, stopping]),
      visibleTypes: async () => {
        const present = await presentCaller(request, deps);
        return present.ok ? visible(asked.types, present.value) : null;
      },
      endWithin: (ms) => endWithin(request.c, ms),
    },
    { ...deps, events: store.events },
  );
  const headers = {
    ...rangeHeaders(found.range),
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    // Proxies would hold back events otherwise.
    'x-accel-buffering': 'no',
  };
  return ok({ headers, text: withOnEnd(text, left, onEnd) });
}

/** The caller with the rights that it has now. */
async function presentCaller(
  { c, operation }: OperationRequest,
  { authenticate }: Pick<EventDeps, 'authenticate'>,
): Promise<Result<Caller, ApiFailure>> {
  const caller = await authenticate(c);
  if (!caller.ok) return caller;
  const authorized = authorize(operation.id, caller.value);
  return authorized.ok ? caller : authorized;
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

async function* textsOf(events: ReturnType<Store['events']['readAt']>, source: string): AsyncGenerator<string> {
  for await (const event of events) yield writeCloudEvent(event, source);
}

// In characters.
const PIECE_LENGTH = 64 * 1024;

async function* toLines(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let piece = '';
  for await (const text of texts) {
    piece += `${text}\n`;
    if (piece.length < PIECE_LENGTH) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

async function* toArray(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let piece = '[';
  let separator = '';
  for await (const text of texts) {
    piece += separator + text;
    separator = ',';
    if (piece.length < PIECE_LENGTH) continue;
    yield piece;
    piece = '';
  }
  yield `${piece}]`;
}
