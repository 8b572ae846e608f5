import { EVENTS, parseSequence, writeCloudEvent } from '@access-admin/contract';
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
import type { EventPlaces, EventRange, EventStore } from '@access-admin/store';
import { Hono } from 'hono';
import { tenantAddress } from '../auth/base-address.ts';
import { presentCaller, watchCaller } from '../auth/watch-caller.ts';
import type { ApiEnv, RequestContext } from '../env.ts';
import type { Answer } from '../http/answer.ts';
import { requestClosed } from '../http/connection.ts';
import type { Gone } from '../http/problem.ts';
import { type Input, route } from '../operations/route.ts';
import { jsonArrayOf } from '../streaming/records.ts';
import { streamJson } from '../streaming/stream-json.ts';
import { noCapacity } from './answers/no-capacity.ts';
import { parsePreferWait } from './checks/prefer.ts';
import { type EventFormat, formatOf } from './events/accept.ts';
import { streamEvents } from './events/stream.ts';
import { readWhole } from './events/whole-page.ts';

/** The feed of events. */
export const events = () => new Hono<ApiEnv>().on(...route(EVENTS.list, readEvents));

type EventsInput = Input<typeof EVENTS.list>;

const FULL = 'The tenant reads too many streams of events at once: end some of them.';

async function readEvents(c: RequestContext, input: EventsInput): Promise<Answer> {
  const format = formatOf(c);
  const after = afterOf(c, input, format);
  if (!after.ok) return after;
  const waitMs = parsePreferWait(c.req.header('prefer')) * 1000;
  if (format !== 'stream' && waitMs === 0) return answerPage(c, input, { format, after: after.value, waitMs });
  const slot = c.env.services.semaphores.eventReaders.open(input.caller.tenant);
  const acquired = await slot.acquire();
  if (!acquired.ok) return fail(noCapacity(acquired.failure, FULL));
  if (format === 'stream') return answerStream(c, input, { after: after.value, onEnd: () => slot.release() });
  try {
    return await answerPage(c, input, { format, after: after.value, waitMs });
  } finally {
    slot.release();
  }
}

/** The sequence to go on after; null for the oldest kept events. A reader that reconnects has seen more than it began with. */
function afterOf(c: RequestContext, { query }: EventsInput, format: EventFormat): Result<number | null, Failure> {
  const lastEventId = format === 'stream' ? (c.req.header('last-event-id') ?? '') : '';
  return lastEventId === '' ? ok(query.after) : parseSequence(lastEventId, 'Last-Event-ID');
}

/** A page that is asked for, and how long its reader waits for the first event. */
interface AskedPage {
  readonly format: Exclude<EventFormat, 'stream'>;
  readonly after: number | null;
  readonly waitMs: number;
}

async function answerPage(c: RequestContext, input: EventsInput, asked: AskedPage): Promise<Answer> {
  const { store, awaitEvents, authenticate, config, stopping } = c.env.services;
  const { events } = store;
  const { caller, query } = input;
  const { format, after, waitMs } = asked;
  const { tenant } = caller;
  const { limit } = query;
  const over = AbortSignal.any([AbortSignal.timeout(waitMs), requestClosed(c), stopping]);
  let types = visible(query.types, caller);
  let found = await events.find(tenant, { after: after ?? undefined, types, limit });
  while (waitMs > 0 && !found.isGone && found.places.length === 0 && !over.aborted) {
    if (found.through === found.range.last) await awaitEvents({ tenant, after: found.through, types }, over);
    const present = await presentCaller(authenticate, { c, operation: EVENTS.list });
    if (!present.ok) return present;
    types = visible(query.types, present.value);
    found = await events.find(tenant, { after: found.through, types, limit });
  }
  if (found.isGone) return fail(gone(found));
  const type = format === 'ndjson' ? 'application/x-ndjson' : 'application/json';
  const headers = {
    'content-type': type,
    'x-oldest-sequence': showSequence(found.range.oldest),
    // Of a page, the event up to which it has searched.
    'x-last-sequence': showSequence(found.through),
  };
  if (found.places.length === 0) return streamJson(c, EMPTY[format], headers);
  const whole = await readWhole(events, tenant, found);
  if (whole === null) {
    // A reader without a place begins with the oldest event that is left.
    if (after === null) return answerPage(c, input, asked);
    return fail(gone({ range: await events.head(tenant), through: after }));
  }
  const texts = textsOf(whole, tenantAddress(config.baseAddress, tenant));
  return streamJson(c, { pieces: format === 'ndjson' ? toLines(texts) : jsonArrayOf(texts) }, headers);
}

const EMPTY = { json: '[]', ndjson: '' };

interface AskedStream {
  readonly after: number | null;
  /** Called when the stream has ended, or does not begin. */
  readonly onEnd: () => void;
}

async function answerStream(c: RequestContext, input: EventsInput, { after, onEnd }: AskedStream): Promise<Answer> {
  let isStreaming = false;
  try {
    const { store, config, authenticate, scheduler } = c.env.services;
    const { caller, query } = input;
    const { tenant } = caller;
    const found = await store.events.find(tenant, { after: after ?? undefined, types: [], limit: 1 });
    if (found.isGone) return fail(gone(found));
    const headers = {
      'content-type': 'text/event-stream',
      ...rangeHeaders(found.range),
      'cache-control': 'no-store',
      // Proxies would hold back events otherwise.
      'x-accel-buffering': 'no',
    };
    if (c.req.method === 'HEAD') return new Response(null, { headers });
    const watched = { c, operation: EVENTS.list, caller };
    const reader = {
      tenant,
      source: tenantAddress(config.baseAddress, tenant),
      after: after ?? found.range.oldest - 1,
      known: found.range.last,
      types: visible(query.types, caller),
      watchTypes: (update: (types: readonly EventType[] | null) => void) =>
        watchCaller({ authenticate, scheduler }, watched, (present) =>
          update(present.ok ? visible(query.types, present.value) : null),
        ),
      onEnd,
    };
    const body = streamEvents(c, reader);
    isStreaming = true;
    return new Response(body, { headers });
  } finally {
    if (!isStreaming) onEnd();
  }
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
