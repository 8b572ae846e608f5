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
  readonly events: Pick<AccessAdminClient['events'], 'last' | 'stream'>;
}

/**
 * Reports changes until the signal is aborted, and first `everything`: no event tells what has changed since the page was read, or since
 * a connection was lost. Ends early where the session may not read events.
 */
export async function followEvents(
  { events }: EventSource,
  { onConcern, onLive }: LiveListener,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const after = await events.last({ signal });
      onConcern('everything');
      for await (const { type } of events.stream({ after, types: TYPES, signal, onConnection: onLive }))
        concernsOf(type).forEach(onConcern);
    } catch (error) {
      // Without events the pages are read again when they are shown again.
      if (signal.aborted || error instanceof UnauthenticatedError || error instanceof ForbiddenError) return;
      onLive(false);
      if (!(error instanceof ApiError && error.status === 410)) await pause(AGAIN_MS, signal);
    }
  }
}
