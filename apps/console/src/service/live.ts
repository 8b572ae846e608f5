import { type AccessAdminClient, ApiError, ForbiddenError, UnauthenticatedError } from '@access-admin/client';
import { readRandom } from './random.ts';

/** What is shown that an event concerns: the first part of the keys of queries. */
export type Concern =
  | 'violations'
  | 'policies'
  | 'exceptions'
  | 'reports'
  | 'checks'
  | 'people'
  | 'session'
  | 'everything';

const TYPES = ['sod.*', 'auth-user.*', 'sign-in.*', 'auth-profile.*', 'access-model.*', 'ui-metadata.*'];
const PREFIX = 'org.access-admin.';

/** What an event of this type concerns. */
export function concernsOf(type: string): readonly Concern[] {
  const name = type.startsWith(PREFIX) ? type.slice(PREFIX.length) : type;
  if (name.startsWith('sod.violation.')) return ['violations'];
  if (name.startsWith('sod.policy.')) return ['policies', 'violations'];
  if (name.startsWith('sod.exception.')) return ['exceptions', 'violations'];
  if (name.startsWith('sod.reservation.')) return ['policies', 'people'];
  if (name.startsWith('sod.report.')) return ['reports'];
  if (name.startsWith('sod.check.')) return ['checks'];
  // The event may change the capabilities of the session.
  if (name.startsWith('auth-user.')) return ['people', 'session'];
  if (name.startsWith('sign-in.')) return ['people'];
  return ['everything'];
}

/** What happens while events are read. */
export interface LiveListener {
  readonly onConcern: (concern: Concern) => void;
  /** Called with true when the stream of events has a connection, and with false as soon as it has none. */
  readonly onLive: (isLive: boolean) => void;
}

// After what passes, such as a service that is overloaded.
const AGAIN_MS = 2_000;

// Together less than the 10 s within which a page is to say that it is not live, as in `frame/use-connection.ts`.
const LOOK_EVERY_MS = 3_000;
const ANSWER_MS = 3_000;
const LATE_MS = 2_000;

// Consoles that have begun at the same time, as after a restart of the service, do not look at the same time.
const LOOK_SPREAD_MS = 1_000;

// A proxy may hold the bytes of each event until the comment that the service sends every 15 s follows them.
const LATE_MS_MAX = 15_000;

/** Waits for a time, at most until the signal is aborted. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener('abort', end);
  });
}

/** What events are read from. */
export interface EventSource {
  readonly events: Pick<AccessAdminClient['events'], 'last' | 'page' | 'stream'>;
}

/** Status 410: the events after a sequence are no longer kept, or not there any more. */
const isGone = (error: unknown): boolean => error instanceof ApiError && error.status === 410;

/** A stream as its reader knows it. */
interface ReadStream {
  isConnected: boolean;
  /** The sequence of the last event that it brought, at first of the one that it began after. */
  last: string;
}

/** For how long streams may be late with an event. */
interface Patience {
  lateMs: number;
}

/**
 * Resolves once the service has an event that the stream has not brought in time, or no longer has those after the last one, or
 * the signal is aborted: a proxy may drop a connection without closing it. A hidden window looks too: it may read the stream for one
 * that is shown.
 */
async function untilEventIsMissed(
  { events }: EventSource,
  stream: ReadStream,
  patience: Readonly<Patience>,
  signal: AbortSignal,
): Promise<void> {
  let examined = stream.last;
  while (!signal.aborted) {
    await pause(LOOK_EVERY_MS + LOOK_SPREAD_MS * (readRandom() - 0.5), signal);
    if (signal.aborted || !stream.isConnected) continue;
    if (stream.last > examined) examined = stream.last;
    const answer = new AbortController();
    const timer = setTimeout(() => answer.abort(), ANSWER_MS);
    try {
      const { items, last } = await events.page({
        after: examined,
        types: TYPES,
        limit: 1,
        // The service takes a request with `Prefer: wait`, even of 0 s, for no activity of the session.
        waitSeconds: 0,
        signal: AbortSignal.any([signal, answer.signal]),
      });
      const [event] = items;
      if (event === undefined) {
        examined = last;
        continue;
      }
      await pause(patience.lateMs, signal);
      if (stream.isConnected && stream.last < event.sequence) return;
    } catch (error) {
      // Whether the service answers is looked at in `frame/use-connection.ts`.
      if (isGone(error)) return;
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Reports what a stream brings until it ends by an error, or misses an event, or the signal is aborted. */
async function followStream(
  api: EventSource,
  { onConcern, onLive }: LiveListener,
  { after, patience }: { readonly after: string; readonly patience: Patience },
  signal: AbortSignal,
): Promise<void> {
  const stream: ReadStream = { isConnected: false, last: after };
  const over = new AbortController();
  const end = AbortSignal.any([signal, over.signal]);
  const onConnection = (isConnected: boolean) => {
    stream.isConnected = isConnected;
    onLive(isConnected);
  };
  untilEventIsMissed(api, stream, patience, end).then(() => over.abort());
  try {
    for await (const { type, sequence } of api.events.stream({ after, types: TYPES, signal: end, onConnection })) {
      stream.last = sequence;
      patience.lateMs = LATE_MS;
      concernsOf(type).forEach(onConcern);
    }
  } finally {
    over.abort();
  }
}

/**
 * Reports changes until the signal is aborted, and first `everything`: no event tells what has changed since the page was read, or since
 * a connection was lost. Ends early where the session may not read events.
 */
export async function followEvents(api: EventSource, listener: LiveListener, signal: AbortSignal): Promise<void> {
  const patience: Patience = { lateMs: LATE_MS };
  let wasGone = false;
  while (!signal.aborted) {
    try {
      const after = await api.events.last({ signal });
      listener.onConcern('everything');
      await followStream(api, listener, { after, patience }, signal);
      // Each new beginning reads everything again.
      patience.lateMs = Math.min(2 * patience.lateMs, LATE_MS_MAX);
      wasGone = false;
    } catch (error) {
      // Without events the pages are read again when they are shown again.
      if (signal.aborted || error instanceof UnauthenticatedError || error instanceof ForbiddenError) return;
      listener.onLive(false);
      // A process that is behind the one that named the last event does not have it yet.
      if (wasGone || !isGone(error)) await pause(AGAIN_MS, signal);
      wasGone = isGone(error);
    }
  }
}
