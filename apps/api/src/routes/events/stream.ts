import { type EventType, showSequence } from '@access-admin/domain';
import type { Semaphore, Slot } from '@access-admin/scheduling';
import { type SSEStreamingApi, streamSSE } from 'hono/streaming';
import { ended, endWithin, reset } from '../../http/connection.ts';
import type { RequestContext } from '../../http/env.ts';
import type { StreamDeps } from '../../http/stream.ts';
import type { AwaitEvents } from './await-events.ts';
import type { EventText, ReadEventText } from './pages.ts';

/** The caller that reads a stream of events, and the sequence after which it begins. */
export interface EventReader {
  readonly tenant: string;
  /** The base address of the tenant. */
  readonly source: string;
  readonly after: number;
  /** The last event that is known of. */
  readonly known: number;
  /** The types that the reader may see now; null when it may see none any more. Called about twice a second. */
  readonly visibleTypes: () => Promise<readonly EventType[] | null>;
  /** Called when the stream has ended, perhaps more than once. */
  readonly onEnd: () => void;
}

export interface EventStreamDeps extends Pick<StreamDeps, 'onError'> {
  readonly readText: ReadEventText;
  readonly awaitEvents: AwaitEvents;
  /** Bytes of events that are read and not yet taken by their readers. */
  readonly bytes: Semaphore;
  /** Monotonic, in ms. */
  readonly elapsed: () => number;
  /** Aborted when the service stops. */
  readonly stopping: AbortSignal;
}

/** What is reserved before a page is read: the largest event. Most pages have far less. */
const PAGE_BYTES_MAX = 320 * 1024;
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
  { tenant, source, after: start, known: knownAtStart, visibleTypes }: EventReader,
  left: AbortSignal,
  { readText, awaitEvents, bytes, elapsed }: EventStreamDeps,
): Promise<void> {
  const endMs = elapsed() + STREAM_MS_MAX;
  const held = bytes.open(tenant, { signal: () => left });
  let after = start;
  let known = knownAtStart;
  let sentAfter = start;
  let writtenMs = elapsed();
  await stream.write(COMMENT);
  while (!left.aborted && elapsed() < endMs) {
    const types = await visibleTypes();
    if (types === null) return endWithin(c, END_MS);
    if (after < known) {
      const next = await whileVisible(c, visibleTypes, () =>
        writePage(stream, held, () => readText({ tenant, source, after, known, types })),
      );
      if (next === null) continue;
      // The reader is told when it connects again.
      if (next.isGone) return;
      after = next.through;
      // What was waited for may not be there: a look that failed wakes all.
      known = next.last;
      if (next.text.length === 0) continue;
      sentAfter = after;
      writtenMs = elapsed();
      continue;
    }
    if (elapsed() - writtenMs >= COMMENT_MS) {
      writtenMs = elapsed();
      await stream.write(after > sentAfter ? `: events\nid: ${showSequence(after)}\n\n` : COMMENT);
      sentAfter = after;
    }
    const seen = await awaitEvents({ tenant, after, types }, left, RIGHTS_EVERY_MS);
    after = seen.through;
    known = seen.isFound ? after + 1 : after;
  }
}

const COMMENT = ': events\n\n';

/** Reads and writes a page, in memory that it holds until the reader has taken the text; null where none has become free. */
async function writePage(
  stream: SSEStreamingApi,
  held: Slot,
  read: () => ReturnType<ReadEventText>,
): Promise<EventText | null> {
  const acquired = await held.acquire(PAGE_BYTES_MAX);
  if (!acquired.ok) return null;
  try {
    const page = await read();
    held.release(Math.max(0, PAGE_BYTES_MAX - page.text.length));
    if (page.text.length > 0) await stream.write(page.text);
    return page;
  } finally {
    held.release();
  }
}

/** Does work that may have to wait, but no longer than the rights of its reader last. */
async function whileVisible<T>(
  c: RequestContext,
  visibleTypes: EventReader['visibleTypes'],
  work: () => Promise<T>,
): Promise<T> {
  const verifyRights = async () => {
    // A storage that is away ends no stream.
    const types = await visibleTypes().catch(() => []);
    if (types === null) endWithin(c, END_MS);
    else timer = setTimeout(verifyRights, RIGHTS_EVERY_MS);
    if (isDone) clearTimeout(timer);
  };
  let isDone = false;
  let timer = setTimeout(verifyRights, RIGHTS_EVERY_MS);
  try {
    return await work();
  } finally {
    isDone = true;
    clearTimeout(timer);
  }
}
