import { type AccessAdminClient, ApiError } from '@access-admin/client';

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
  readonly onLive: (isLive: boolean) => void;
  /** Whether events were followed before, and may have been missed since. */
  readonly hasMissed: boolean;
}

/** Reports changes from now on until the signal is aborted. Ends early where the session may not read events. */
export async function followEvents(
  { events }: Pick<AccessAdminClient, 'events'>,
  { onConcern, onLive, hasMissed }: LiveListener,
  signal: AbortSignal,
): Promise<void> {
  try {
    for (let isFirst = !hasMissed; !signal.aborted; isFirst = false) {
      const after = await events.last({ signal });
      onLive(true);
      // Events were missed: the connection was lost, they are no longer kept, or the database was put back.
      if (!isFirst) onConcern('everything');
      await follow().catch((error) => {
        if (!(error instanceof ApiError && error.status === 410)) throw error;
      });
      async function follow() {
        for await (const { type } of events.stream({ after, types: TYPES, signal }))
          concernsOf(type).forEach(onConcern);
      }
    }
  } catch {
    // Without events the pages are read again when they are shown again.
  } finally {
    onLive(false);
  }
}
