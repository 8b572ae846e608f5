import type { EventStore, Store } from '@access-admin/store';

/** Resolves once the tenant has an event after this sequence, or the signal is aborted. */
export type AwaitEvents = (tenant: string, after: number, signal: AbortSignal) => Promise<void>;

export interface AwaitEventsDeps {
  readonly events: Pick<EventStore, 'lastOf'>;
  readonly onCommit: Store['onCommit'];
  /** Monotonic, in ms. */
  readonly elapsed: () => number;
}

interface Waiter {
  readonly tenant: string;
  readonly after: number;
  readonly resolve: () => void;
}

// Not every commit is signalled to every process.
const POLL_EVERY_MS = 200;
// Under load there are hundreds of commits a second: all within this time cause one read.
const GATHER_MS = 10;

/** Looks for events with one statement for all waiting readers: after commits, and a few times a second. */
export function createAwaitEvents({ events, onCommit, elapsed }: AwaitEventsDeps): AwaitEvents {
  const waiters = new Set<Waiter>();
  let timer: NodeJS.Timeout | null = null;
  let isReading = false;
  let dueMs = Number.POSITIVE_INFINITY;

  const resolveWaiters = (lastOf: ReadonlyMap<string, number>) => {
    for (const waiter of waiters) if ((lastOf.get(waiter.tenant) ?? 0) > waiter.after) waiter.resolve();
  };
  const poll = async () => {
    timer = null;
    isReading = true;
    dueMs = Number.POSITIVE_INFINITY;
    // A storage that is away is found by the reader itself.
    await events.lastOf([...new Set(Array.from(waiters, ({ tenant }) => tenant))]).then(resolveWaiters, () => {});
    isReading = false;
    plan(POLL_EVERY_MS);
  };
  /** Polls after this time at the latest. */
  const plan = (ms: number) => {
    if (waiters.size === 0 && timer !== null) clearTimeout(timer);
    const atMs = elapsed() + ms;
    if (waiters.size === 0 || isReading || atMs >= dueMs) return;
    if (timer !== null) clearTimeout(timer);
    dueMs = atMs;
    timer = setTimeout(poll, ms);
  };
  onCommit(() => plan(GATHER_MS));

  return async (tenant, after, signal) => {
    if (signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiter: Waiter = { tenant, after, resolve };
    waiters.add(waiter);
    signal.addEventListener('abort', waiter.resolve, { once: true });
    // An event between the read and this call is found without a further commit.
    plan(GATHER_MS);
    try {
      await promise;
    } finally {
      signal.removeEventListener('abort', waiter.resolve);
      waiters.delete(waiter);
    }
  };
}
