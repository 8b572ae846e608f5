import { type EventType, showSequence, writeCloudEvent } from '@access-admin/domain';
import type { EventPage, EventStore } from '@access-admin/store';
import { endWithin } from '../../http/connection.ts';
import type { AwaitEvents } from './await-events.ts';

/** A stream of server-sent events that begins. */
export interface EventStream {
  readonly tenant: string;
  /** The base address of the tenant. */
  readonly source: string;
  readonly after: number;
  /** Aborted when the reader leaves or the service stops. */
  readonly left: AbortSignal;
  /** The types that the reader may see now; null when it may see none any more. Called about twice a second. */
  readonly visibleTypes: () => Promise<readonly EventType[] | null>;
  /** Ends the answer within this time, whether the reader takes what waits for it or not. */
  readonly endWithin: (ms: number) => void;
}

export interface StreamDeps {
  readonly events: Pick<EventStore, 'read'>;
  readonly awaitEvents: AwaitEvents;
  /** Monotonic, in ms. */
  readonly elapsed: () => number;
}

const EVENTS_AT_ONCE = 250;
// A stream ends within a second of the rights of its reader.
const RIGHTS_EVERY_MS = 500;
const END_MS = 250;
const COMMENT_MS = 15_000;
const STREAM_MS_MAX = 3_600_000;

/**
 * The text of a stream: each event with its sequence as `id`. After some time without an event it has a comment, and the
 * sequence up to which it has looked, from where a reader resumes.
 */
export async function* writeEventStream(stream: EventStream, deps: StreamDeps): AsyncGenerator<string> {
  const { events, awaitEvents, elapsed } = deps;
  const { tenant, source, left } = stream;
  const endMs = elapsed() + STREAM_MS_MAX;
  let [after, sentAfter, writtenMs] = [stream.after, stream.after, elapsed()];
  yield ': events\n\n';
  while (!left.aborted && elapsed() < endMs) {
    const types = await stream.visibleTypes();
    if (types === null) return stream.endWithin(END_MS);
    const page = await events.read(tenant, { after, types, limit: EVENTS_AT_ONCE });
    // The reader is told when it connects again.
    if (page.isGone) return;
    after = page.through;
    if (page.events.length > 0) {
      [sentAfter, writtenMs] = [after, elapsed()];
      yield* whileVisible(textOf(page, source), stream);
      continue;
    }
    if (elapsed() - writtenMs >= COMMENT_MS) {
      writtenMs = elapsed();
      yield after > sentAfter ? `: events\nid: ${showSequence(after)}\n\n` : ': events\n\n';
      sentAfter = after;
    }
    if (after < page.range.last) continue;
    await awaitEvents(tenant, after, AbortSignal.any([left, AbortSignal.timeout(RIGHTS_EVERY_MS)]));
  }
}

/** A text that its reader may leave waiting, but no longer than its rights last. */
async function* whileVisible(text: string, { visibleTypes, endWithin }: EventStream): AsyncGenerator<string> {
  const verifyRights = async () => {
    // A storage that is away ends no stream.
    const types = await visibleTypes().catch(() => []);
    if (types === null) endWithin(END_MS);
    else timer = setTimeout(verifyRights, RIGHTS_EVERY_MS);
    if (isTaken) clearTimeout(timer);
  };
  let isTaken = false;
  let timer = setTimeout(verifyRights, RIGHTS_EVERY_MS);
  try {
    yield text;
  } finally {
    isTaken = true;
    clearTimeout(timer);
  }
}

const textOf = ({ events }: EventPage, source: string): string =>
  events.map((event) => `id: ${showSequence(event.sequence)}\ndata: ${writeCloudEvent(event, source)}\n\n`).join('');
