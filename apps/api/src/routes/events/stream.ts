import { writeCloudEvent } from '@access-admin/contract';
import { type EventType, showSequence } from '@access-admin/domain';
import type { EventPage } from '@access-admin/store';
import { type SSEStreamingApi, streamSSE } from 'hono/streaming';
import type { RequestContext } from '../../env.ts';
import { endWithin, requestClosed, reset } from '../../http/connection.ts';
import { refusalOfStream } from '../../middleware/errors.ts';

/** A caller of the event stream, and the sequence after which its stream begins. */
export interface EventReader {
  readonly tenant: string;
  /** The tenant's base URL, as the CloudEvents `source`. */
  readonly source: string;
  readonly after: number;
  /** The last known event. */
  readonly known: number;
  /** The types that the reader may see at the beginning. */
  readonly types: readonly EventType[];
  /** Watches them until the returned function is called; null if the reader may no longer see any. */
  readonly watchTypes: (update: (types: readonly EventType[] | null) => void) => () => void;
  /** Called when the stream ends; may be called more than once. */
  readonly onEnd: () => void;
}

/** With their envelopes about as long as the data that the store puts into a page. */
const EVENTS_AT_ONCE = 64;
/** Reserved before a page is read: the size of the largest event. Most pages are far smaller. */
const PAGE_BYTES_MAX = 320 * 1024;
/** The time of a stream to end by itself once its reader has lost the rights. */
const RESET_AFTER_MS = 250;
const KEEP_ALIVE_MS = 15_000;
/** So often a stream that waits is looked at. */
const WAIT_MS_MAX = 4_000;
const STREAM_MS_MAX = 3_600_000;

/**
 * Sends events as they occur, until the client disconnects or loses its rights, the service stops, or an hour has passed.
 * Returns the body alone, because the headers of `streamSSE` set `Transfer-Encoding` and `Connection`, which are wrong for
 * HTTP/2 and for a service that is shutting down.
 */
export function streamEvents(c: RequestContext, reader: EventReader): ReadableStream<Uint8Array> | null {
  const { state, services } = c.env;
  const sent = Promise.withResolvers<void>();
  state.isEventStream = true;
  state.streamed = sent.promise;
  const end = () => {
    reader.onEnd();
    sent.resolve();
  };
  const { body } = streamSSE(c, async (stream) => {
    const clientGone = disconnectOf(c, stream);
    clientGone.addEventListener('abort', end, { once: true });
    try {
      await writeEvents(stream, c, reader, AbortSignal.any([clientGone, services.stopping]));
    } catch (error) {
      // Without a reset, the client would take the failure for the regular end of a stream.
      state.refusal = refusalOfStream(error, state.trackingId, services.log) ?? state.refusal;
      reset(c);
      stream.abort();
    } finally {
      end();
    }
  });
  return body;
}

/** Aborted when the client disconnects, even before it has read anything. Pending writes are discarded. */
function disconnectOf(c: RequestContext, stream: SSEStreamingApi): AbortSignal {
  const gone = new AbortController();
  stream.onAbort(() => gone.abort());
  const closed = requestClosed(c);
  if (closed.aborted) stream.abort();
  else closed.addEventListener('abort', () => stream.abort(), { once: true });
  return gone.signal;
}

/**
 * Writes each event with its sequence as `id`. After a time without events it writes a comment with the sequence up to which it
 * has searched, from which a client resumes. Writes apply backpressure.
 */
async function writeEvents(
  stream: SSEStreamingApi,
  c: RequestContext,
  reader: EventReader,
  stopped: AbortSignal,
): Promise<void> {
  const { store, awaitEvents, semaphores, scheduler, system } = c.env.services;
  const { elapsed } = system;
  const { tenant, source, after: start } = reader;
  const endMs = elapsed() + STREAM_MS_MAX;
  let { types } = reader;
  const lost = new AbortController();
  const stopWatching = reader.watchTypes((present) => {
    types = present ?? [];
    if (present !== null) return;
    lost.abort();
    endWithin(c, RESET_AFTER_MS);
  });
  const over = AbortSignal.any([stopped, lost.signal]);
  const held = semaphores.eventBytes.open(tenant, { signal: () => over });
  let after = start;
  let { known } = reader;
  let sentAfter = start;
  let writtenMs = elapsed();
  try {
    await stream.write(COMMENT);
    while (!over.aborted && elapsed() < endMs) {
      if (after < known) {
        // Held until the client has read the text.
        if (!(await held.acquire(PAGE_BYTES_MAX)).ok) continue;
        await scheduler.yield(tenant);
        const page = await store.events.read(tenant, { after, types, limit: EVENTS_AT_ONCE });
        // The client gets the error when it reconnects.
        if (page.isGone) return;
        if (page.events.length > 0) await scheduler.yield(tenant);
        if (over.aborted) return;
        const text = textOf(page, source);
        held.release(Math.max(0, PAGE_BYTES_MAX - text.length));
        if (text.length > 0) {
          await stream.write(text);
          sentAfter = page.through;
          writtenMs = elapsed();
        }
        held.release();
        after = page.through;
        // The awaited event may not exist, because a failed poll wakes all waiters.
        known = page.range.last;
        continue;
      }
      if (elapsed() >= writtenMs + KEEP_ALIVE_MS) {
        writtenMs = elapsed();
        await stream.write(after > sentAfter ? `: events\nid: ${showSequence(after)}\n\n` : COMMENT);
        sentAfter = after;
      }
      const waitMs = Math.min(WAIT_MS_MAX, Math.max(0, writtenMs + KEEP_ALIVE_MS - elapsed()));
      const seen = await awaitEvents({ tenant, after, types }, over, waitMs);
      after = seen.through;
      known = seen.isFound ? after + 1 : after;
    }
  } finally {
    stopWatching();
    held.release();
  }
}

const COMMENT = ': events\n\n';

const textOf = ({ events }: EventPage, source: string): Uint8Array =>
  Buffer.from(
    events.map((event) => `id: ${showSequence(event.sequence)}\ndata: ${writeCloudEvent(event, source)}\n\n`).join(''),
  );
