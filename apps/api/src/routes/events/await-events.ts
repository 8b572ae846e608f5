import type { EventType } from '@access-admin/domain';
import type { EventStore, Store } from '@access-admin/store';

/** What a reader waits for: an event of one of these types after this sequence. */
export interface AwaitedEvents {
  readonly tenant: string;
  readonly after: number;
  readonly types: readonly EventType[];
}

/** What was seen while a reader waited. */
export interface SeenEvents {
  /** Whether there is such an event; also true where events after the sequence are gone. */
  readonly isFound: boolean;
  /** No such event is in or before this sequence. */
  readonly through: number;
}

/** Resolves once there is such an event, or the signal is aborted, or the time is over. */
export type AwaitEvents = (awaited: AwaitedEvents, signal: AbortSignal, ms?: number) => Promise<SeenEvents>;

export interface AwaitEventsDeps {
  readonly events: Pick<EventStore, 'lastOf' | 'find'>;
  readonly onCommit: Store['onCommit'];
  /** Monotonic, in ms. */
  readonly elapsed: () => number;
}

interface Waiter extends AwaitedEvents {
  after: number;
  readonly resolve: (isFound: boolean) => void;
}

// Not every commit is signalled to every process.
const POLL_EVERY_MS = 200;
// Under load there are hundreds of commits a second: all within this time cause one read.
const GATHER_MS = 10;
const PLACES_AT_ONCE = 1_000;

/**
 * Looks for events after commits, and a few times a second: with one look at the tenants of all waiting readers, and one
 * read for all readers of a tenant that has new events. Only readers that wait for one of their types are woken.
 */
export function createAwaitEvents({ events, onCommit, elapsed }: AwaitEventsDeps): AwaitEvents {
  const waiters = new Set<Waiter>();
  /** The last event of each tenant that was waited for, at the last look. */
  let lastOf: ReadonlyMap<string, number> = new Map();
  let timer: NodeJS.Timeout | null = null;
  let isReading = false;
  /** Whether a commit came while events were read. */
  let isAskedAgain = false;
  let dueMs = Number.POSITIVE_INFINITY;

  const lookFor = async (tenant: string, last: number) => {
    for (;;) {
      const behind = [...waiters].filter((waiter) => waiter.tenant === tenant && waiter.after < last);
      if (behind.length === 0) return;
      const after = Math.min(...behind.map((waiter) => waiter.after));
      const types = [...new Set(behind.flatMap((waiter) => waiter.types))];
      const { isGone, places, through } = await events.find(tenant, { after, types, limit: PLACES_AT_ONCE });
      for (const waiter of behind) {
        const isFound = (place: { readonly sequence: number; readonly type: EventType }) =>
          place.sequence > waiter.after && waiter.types.includes(place.type);
        if (isGone || places.some(isFound)) waiter.resolve(true);
        else waiter.after = Math.max(waiter.after, through);
      }
      if (isGone || through >= last) return;
    }
  };
  const poll = async () => {
    timer = null;
    isReading = true;
    isAskedAgain = false;
    dueMs = Number.POSITIVE_INFINITY;
    try {
      const tenants = new Set(Array.from(waiters, ({ tenant }) => tenant));
      lastOf = await events.lastOf([...tenants]);
      for (const waiter of waiters) if (tenants.has(waiter.tenant) && !lastOf.has(waiter.tenant)) waiter.resolve(true);
      for (const [tenant, last] of lastOf) await lookFor(tenant, last);
    } catch {
      // A storage that is away is found by the readers themselves.
      for (const waiter of waiters) waiter.resolve(true);
    }
    isReading = false;
    plan(isAskedAgain ? GATHER_MS : POLL_EVERY_MS);
  };
  /** Polls after this time at the latest. */
  const plan = (ms: number) => {
    if (isReading) {
      isAskedAgain ||= ms === GATHER_MS;
      return;
    }
    const atMs = waiters.size === 0 ? Number.POSITIVE_INFINITY : elapsed() + ms;
    if (waiters.size > 0 && atMs >= dueMs) return;
    if (timer !== null) clearTimeout(timer);
    dueMs = atMs;
    timer = waiters.size === 0 ? null : setTimeout(poll, ms);
  };
  onCommit(() => plan(GATHER_MS));

  return async ({ tenant, after, types }, signal, ms) => {
    if (signal.aborted) return { isFound: false, through: after };
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const waiter: Waiter = { tenant, after, types, resolve };
    const isWatched = lastOf.get(tenant) === after && waiters.size > 0;
    waiters.add(waiter);
    const end = () => resolve(false);
    signal.addEventListener('abort', end, { once: true });
    const over = ms === undefined ? undefined : setTimeout(end, ms);
    // An event may have come between the reader's read and this call, or while no reader waited: no further commit tells of it.
    plan(isWatched ? POLL_EVERY_MS : GATHER_MS);
    try {
      const isFound = await promise;
      return { isFound, through: waiter.after };
    } finally {
      clearTimeout(over);
      signal.removeEventListener('abort', end);
      waiters.delete(waiter);
    }
  };
}
