import { type EventType, showSequence, writeCloudEvent } from '@access-admin/domain';
import type { EventPage, EventStore } from '@access-admin/store';
import { type SSEStreamingApi, streamSSE } from 'hono/streaming';
import type { TakeTurn } from '../../event-loop/fair-turns.ts';
import { ended, endWithin, reset } from '../../http/connection.ts';
import type { RequestContext } from '../../http/env.ts';
import type { StreamDeps } from '../../http/stream.ts';
import type { AwaitEvents } from './await-events.ts';

/** The caller that reads a stream of events, and the sequence after which it begins. */
export interface EventReader {
  readonly tenant: string;
  /** The base address of the tenant. */
  readonly source: string;
  readonly after: number;
  /** The types that the reader may see now; null when it may see none any more. Called about twice a second. */
  readonly visibleTypes: () => Promise<readonly EventType[] | null>;
  /** Called when the stream has ended, perhaps more than once. */
  readonly onEnd: () => void;
}

export interface EventStreamDeps extends Pick<StreamDeps, 'onError'> {
  readonly events: Pick<EventStore, 'read'>;
  readonly awaitEvents: AwaitEvents;
  /** Waits for a turn before the text of events is made. */
  readonly turn: TakeTurn;
  /** Monotonic, in ms. */
  readonly elapsed: () => number;
  /** Aborted when the service stops. */
  readonly stopping: AbortSignal;
}

const EVENTS_AT_ONCE = 250;
// A stream ends within a second of the rights of its reader.
const RIGHTS_EVERY_MS = 500;
const END_MS = 250;
const COMMENT_MS = 15_000;
const STREAM_MS_MAX = 3_600_000;

/**
 * Sends events as they come, until the reader leaves or may not read them any more, the service stops, or an hour is over. The
 * headers are left to the caller: those of `streamSSE` name the encoding of HTTP/1.1 and keep the connection of a service that
 * stops.
 */
export function streamEvents(
  c: RequestContext,
  reader: EventReader,
  deps: EventStreamDeps,
): ReadableStream<Uint8Array> | null {
  const state = c.get('state');
  const sent = Promise.withResolvers<void>();
  state.isEventStream = true;
  state.streamed = sent.promise;
  const end = () => {
    reader.onEnd();
    sent.resolve();
  };
  const { body } = streamSSE(c, async (stream) => {
    const left = leftOf(c, stream);
    left.addEventListener('abort', end, { once: true });
    try {
      await writeEvents(stream, c, reader, AbortSignal.any([left, deps.stopping]), deps);
    } catch (error) {
      // Without a reset, the end of the connection could pass for that of a stream whose time is up.
      state.refusal = deps.onError(error, state.trackingId) ?? state.refusal;
      reset(c);
      stream.abort();
    } finally {
      end();
    }
  });
  return body;
}

/** Aborted when the reader has left, also one that never took a piece. What waits for it is discarded. */
function leftOf(c: RequestContext, stream: SSEStreamingApi): AbortSignal {
  const left = new AbortController();
  stream.onAbort(() => left.abort());
  const exchange = ended(c);
  if (exchange.aborted) stream.abort();
  else exchange.addEventListener('abort', () => stream.abort(), { once: true });
  return left.signal;
}

/**
 * Writes each event with its sequence as `id`. After some time without an event it writes a comment, and the sequence up to which
 * it has looked, from where a reader resumes. A write waits until the reader has taken what was written before.
 */
async function writeEvents(
  stream: SSEStreamingApi,
  c: RequestContext,
  { tenant, source, after: start, visibleTypes }: EventReader,
  left: AbortSignal,
  { events, awaitEvents, turn, elapsed }: EventStreamDeps,
): Promise<void> {
  const endMs = elapsed() + STREAM_MS_MAX;
  let after = start;
  let sentAfter = start;
  let writtenMs = elapsed();
  await stream.write(COMMENT);
  while (!left.aborted && elapsed() < endMs) {
    const types = await visibleTypes();
    if (types === null) return endWithin(c, END_MS);
    const page = await events.read(tenant, { after, types, limit: EVENTS_AT_ONCE });
    // The reader is told when it connects again.
    if (page.isGone) return;
    after = page.through;
    if (page.events.length > 0) {
      sentAfter = after;
      writtenMs = elapsed();
      await turn(tenant);
      await writeWhileVisible(stream, c, textOf(page, source), visibleTypes);
      continue;
    }
    if (elapsed() - writtenMs >= COMMENT_MS) {
      writtenMs = elapsed();
      await stream.write(after > sentAfter ? `: events\nid: ${showSequence(after)}\n\n` : COMMENT);
      sentAfter = after;
    }
    if (after < page.range.last) continue;
    await awaitEvents(tenant, after, AbortSignal.any([left, AbortSignal.timeout(RIGHTS_EVERY_MS)]));
  }
}

const COMMENT = ': events\n\n';

/** Writes a text that its reader may leave waiting, but no longer than its rights last. */
async function writeWhileVisible(
  stream: SSEStreamingApi,
  c: RequestContext,
  text: string,
  visibleTypes: EventReader['visibleTypes'],
): Promise<void> {
  const verifyRights = async () => {
    // A storage that is away ends no stream.
    const types = await visibleTypes().catch(() => []);
    if (types === null) endWithin(c, END_MS);
    else timer = setTimeout(verifyRights, RIGHTS_EVERY_MS);
    if (isTaken) clearTimeout(timer);
  };
  let isTaken = false;
  let timer = setTimeout(verifyRights, RIGHTS_EVERY_MS);
  try {
    await stream.write(text);
  } finally {
    isTaken = true;
    clearTimeout(timer);
  }
}

const textOf = ({ events }: EventPage, source: string): string =>
  events.map((event) => `id: ${showSequence(event.sequence)}\ndata: ${writeCloudEvent(event, source)}\n\n`).join('');
