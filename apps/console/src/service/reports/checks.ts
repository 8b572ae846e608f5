import {
  type AccessAdminClient,
  ApiError,
  type CloudEvent,
  type SodCheck,
  type SodCheckState,
} from '@access-admin/client';
import { queryOptions } from '@tanstack/react-query';

/** How soon a check that is pending is read again; an event tells of its end. */
const PENDING_AGAIN_MS = 1_000;

/** One check. */
export const checkQuery = (api: AccessAdminClient, requestId: string) =>
  queryOptions({
    queryKey: ['checks', 'one', requestId],
    queryFn: ({ signal }): Promise<SodCheck> => api.sodViolations.getCheck(requestId, { signal }),
    refetchInterval: ({ state: { data } }) => data?.completed === null && PENDING_AGAIN_MS,
  });

/** A check that an event tells of. */
export interface EndedCheck {
  readonly requestId: string;
  /** When it ended. */
  readonly time: string;
  /** Null where the check is too large for an event. */
  readonly state: SodCheckState | null;
  readonly violationCount: number | null;
}

/** How many of the last events are searched for checks. */
export const SEARCHED_EVENTS = 5_000;
/** How many checks are listed. */
const LISTED_MAX = 20;
/** An event has up to 256 KiB, and as a rule a few. */
const EVENTS_AT_ONCE = 250;

/** The checks that ended last, the latest first. */
export const endedChecksQuery = (api: AccessAdminClient) =>
  queryOptions({
    queryKey: ['checks', 'ended'],
    queryFn: ({ signal }) => findEndedChecks(api, signal),
  });

/** The service lists no checks, but keeps an event for each that has ended: the last events are read backwards. */
export async function findEndedChecks(
  { events }: Pick<AccessAdminClient, 'events'>,
  signal: AbortSignal,
): Promise<readonly EndedCheck[]> {
  const present = Number(await events.last({ signal }));
  const found: EndedCheck[] = [];
  const first = Math.max(0, present - SEARCHED_EVENTS);
  for (let end = present; end > first && found.length < LISTED_MAX; end -= EVENTS_AT_ONCE) {
    const after = Math.max(first, end - EVENTS_AT_ONCE);
    const { items, isOldest } = await readEvents(events, { after, signal });
    found.push(
      ...items
        .filter(({ sequence }) => Number(sequence) <= end)
        .map(endedCheckOf)
        .toReversed(),
    );
    if (isOldest) break;
  }
  return found.slice(0, LISTED_MAX);
}

const SEQUENCE_DIGITS = 20;

/** Some events after one; from the oldest kept event on where that one is older. */
async function readEvents(
  events: AccessAdminClient['events'],
  { after, signal }: { readonly after: number; readonly signal: AbortSignal },
): Promise<{ readonly items: readonly CloudEvent[]; readonly isOldest: boolean }> {
  const options = { types: ['sod.check.completed'], limit: EVENTS_AT_ONCE, signal };
  try {
    const { items } = await events.page({ ...options, after: String(after).padStart(SEQUENCE_DIGITS, '0') });
    return { items, isOldest: false };
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 410)) throw error;
    return { items: (await events.page(options)).items, isOldest: true };
  }
}

function endedCheckOf({ subject, time, data }: CloudEvent): EndedCheck {
  const check = data as Partial<SodCheck>;
  return {
    requestId: subject.slice(subject.lastIndexOf('/') + 1),
    time,
    state: check.state ?? null,
    violationCount: check.violationCheckResult?.violationCount ?? null,
  };
}
