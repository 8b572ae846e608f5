import { type EventType, showSequence } from '@access-admin/domain';
import type { Scheduler, Semaphore } from '@access-admin/scheduling';
import { type SSEStreamingApi, streamSSE } from 'hono/streaming';
import { ended, endWithin, reset } from '../../http/connection.ts';
import type { RequestContext } from '../../http/env.ts';
import type { StreamDeps } from '../../http/stream.ts';
import type { AwaitEvents } from './await-events.ts';
import type { ReadEventText } from './pages.ts';

/** The caller that reads a stream of events, and the sequence after which it begins. */
export interface EventReader {
  readonly tenant: string;
  /** The base address of the tenant. */
  readonly source: string;
  readonly after: number;
  /** The last event that is known of. */
  readonly known: number;
  /** The types that the reader may see now; null when it may see none any more. Called every few seconds. */
  readonly visibleTypes: () => Promise<readonly EventType[] | null>;
  /** Called when the stream has ended, perhaps more than once. */
  readonly onEnd: () => void;
}

export interface EventStreamDeps extends Pick<StreamDeps, 'onError'> {
  readonly readText: ReadEventText;
  readonly awaitEvents: AwaitEvents;
  /** Bytes of events that are read and not yet taken by their readers. */
  readonly bytes: Semaphore;
  /** In each turn of the event loop one page is written: tenants in turn. */
  readonly scheduler: Pick<Scheduler, 'yield'>;
  /** Monotonic, in ms. */
  readonly elapsed: () => number;
  /** Aborted when the service stops. */
  readonly stopping: AbortSignal;
}

/** What is reserved before a page is read: the largest event. Most pages have far less. */
const PAGE_BYTES_MAX = 320 * 1024;
// A stream ends within five seconds of the rights of its reader.
const RIGHTS_EVERY_MS = 4_000;
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
  reader: EventReader,
  left: AbortSignal,
  { readText, awaitEvents, bytes, scheduler, elapsed }: EventStreamDeps,
): Promise<void> {
  const { tenant, source, after: start } = reader;
  const endMs = elapsed() + STREAM_MS_MAX;
  const rights = await watchRights(c, reader, scheduler);
  const over = AbortSignal.any([left, rights.ended]);
  const held = bytes.open(tenant, { signal: () => over });
  let after = start;
  let { known } = reader;
  let sentAfter = start;
  let writtenMs = elapsed();
  try {
    await stream.write(COMMENT);
    while (!over.aborted && elapsed() < endMs) {
      const types = rights.types();
      if (after < known) {
        // Held until the reader has taken the text.
        if (!(await held.acquire(PAGE_BYTES_MAX)).ok) continue;
        const { text, through, last, isGone } = await readText({ tenant, source, after, known, types });
        held.release(Math.max(0, PAGE_BYTES_MAX - text.length));
        // The reader is told when it connects again.
        if (isGone) return;
        if (text.length > 0) {
          await scheduler.yield(tenant);
          if (over.aborted) return;
          await stream.write(text);
          sentAfter = through;
          writtenMs = elapsed();
        }
        held.release();
        after = through;
        // What was waited for may not be there: a look that failed wakes all.
        known = last;
        continue;
      }
      if (elapsed() - writtenMs >= COMMENT_MS) {
        writtenMs = elapsed();
        await stream.write(after > sentAfter ? `: events\nid: ${showSequence(after)}\n\n` : COMMENT);
        sentAfter = after;
      }
      const seen = await awaitEvents({ tenant, after, types }, over, RIGHTS_EVERY_MS);
      after = seen.through;
      known = seen.isFound ? after + 1 : after;
    }
  } finally {
    rights.stop();
    held.release();
  }
}

const COMMENT = ': events\n\n';

/** What a reader may see, looked at every few seconds, also while the reader takes nothing. */
interface WatchedRights {
  /** At the last look. */
  types(): readonly EventType[];
  /** Aborted when the reader may see nothing any more. */
  readonly ended: AbortSignal;
  stop(): void;
}

async function watchRights(
  c: RequestContext,
  { tenant, visibleTypes }: EventReader,
  scheduler: Pick<Scheduler, 'yield'>,
): Promise<WatchedRights> {
  const ending = new AbortController();
  let types: readonly EventType[] = [];
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const note = (visible: readonly EventType[] | null) => {
    if (visible === null) {
      ending.abort();
      endWithin(c, END_MS);
      return;
    }
    types = visible;
    if (!isStopped) timer = setTimeout(look, RIGHTS_EVERY_MS);
  };
  const look = async () => {
    await scheduler.yield(tenant);
    // A storage that is away ends no stream.
    note(await visibleTypes().catch(() => types));
  };
  note(await visibleTypes());
  return {
    types: () => types,
    ended: ending.signal,
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
