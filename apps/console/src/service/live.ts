import { type AccessAdminClient, ApiError, ForbiddenError, UnauthenticatedError } from '@access-admin/client';

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

// Together less than the 10 s within which a page says that it is not live.
const LOOK_EVERY_MS = 3_000;
const ANSWER_MS = 3_000;
const LATE_MS = 2_000;

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

/**
 * Resolves once the service has an event that the stream has not brought in time, or the signal is aborted: a proxy may drop a
 * connection without closing it. A hidden window looks too: it may read the stream for one that is shown.
 */
async function missesEvent({ events }: EventSource, stream: ReadStream, signal: AbortSignal): Promise<void> {
  let examined = stream.last;
  while (!signal.aborted) {
    await pause(LOOK_EVERY_MS, signal);
    if (signal.aborted || !stream.isConnected) continue;
    if (stream.last > examined) examined = stream.last;
    try {
      const { items, last } = await events.page({
        after: examined,
        types: TYPES,
        limit: 1,
        // What may wait is no activity of the session.
        waitSeconds: 0,
        signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
      });
      const [event] = items;
      if (event === undefined) {
        examined = last;
        continue;
      }
      await pause(LATE_MS, signal);
      if (stream.isConnected && stream.last < event.sequence) return;
    } catch (error) {
      // Whether the service answers is looked at elsewhere.
      if (isGone(error)) return;
    }
  }
}

/** Reports what a stream brings until it ends by an error, or misses an event, or the signal is aborted. */
async function followStream(
  api: EventSource,
  { onConcern, onLive }: LiveListener,
  after: string,
  signal: AbortSignal,
): Promise<void> {
  const stream: ReadStream = { isConnected: false, last: after };
  const over = new AbortController();
  const end = AbortSignal.any([signal, over.signal]);
  const onConnection = (isConnected: boolean) => {
    stream.isConnected = isConnected;
    onLive(isConnected);
  };
  missesEvent(api, stream, end).then(() => over.abort());
  try {
    for await (const { type, sequence } of api.events.stream({ after, types: TYPES, signal: end, onConnection })) {
      stream.last = sequence;
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
  while (!signal.aborted) {
    try {
      const after = await api.events.last({ signal });
      listener.onConcern('everything');
      await followStream(api, listener, after, signal);
    } catch (error) {
      // Without events the pages are read again when they are shown again.
      if (signal.aborted || error instanceof UnauthenticatedError || error instanceof ForbiddenError) return;
      listener.onLive(false);
      if (!isGone(error)) await pause(AGAIN_MS, signal);
    }
  }
}
