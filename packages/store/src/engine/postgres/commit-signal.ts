import pg from 'pg';
import { createListeners } from '../listeners.ts';
import { tenantOfQueue } from '../scope.ts';
import type { PostgresLimits } from './limits.ts';
import type { PostgresConnections } from './pool.ts';

/** The tenants that others may have changed, or all of them. */
export type Changed = readonly string[] | 'all';

export interface PostgresCommitSignal {
  /** Calls back after each commit, and once a second in any case. */
  subscribe(listener: () => void): () => void;
  /** This process has committed. */
  notify(): void;
  /** Whether a recent poll has found everything committed until then. */
  isFresh(): boolean;
  close(): Promise<void>;
}

interface SignalDeps {
  readonly connections: PostgresConnections;
  readonly limits: PostgresLimits;
  now(): number;
  onChange(changed: Changed): void;
}

/**
 * Polls four times a second for changed tenants, and at once when the server notifies of a commit. It uses a connection of
 * its own and replaces it when it breaks or does not respond.
 */
export function createPostgresCommitSignal({ connections, limits, now, onChange }: SignalDeps): PostgresCommitSignal {
  const { subscribe, callAll, clear } = createListeners();
  const wakeup = createWakeup();
  let isClosed = false;
  let freshUntilMs = Number.NEGATIVE_INFINITY;
  let notifiedMs = now();

  const notify = () => {
    notifiedMs = now();
    callAll();
  };

  const follow = async (client: pg.Client): Promise<void> => {
    client.on('notification', ({ payload }) => (payload === UNCACHED ? notify() : wakeup.wake()));
    client.on('error', wakeup.wake);
    await within(limits.pollResponseMs, client.connect());
    const poll = createPoll(client);
    await within(limits.pollResponseMs, client.query(`listen ${CHANNEL}`));
    // Results cached before the first poll may precede a change that no later poll finds.
    await within(limits.pollResponseMs, poll());
    onChange('all');
    for (let isWoken = false; !isClosed; isWoken = await wakeup.wait(limits.pollEveryMs)) {
      const startedMs = now();
      const changed = await within(limits.pollResponseMs, poll());
      if (changed.length > 0) onChange(changed.includes('') ? 'all' : changed);
      freshUntilMs = startedMs + limits.freshMs;
      if (isWoken || changed.length > 0 || now() - notifiedMs >= limits.notifyEveryMs) notify();
    }
  };

  const run = async () => {
    while (!isClosed) {
      const client = new pg.Client(connections.config);
      client.on('error', () => {});
      await follow(client).catch((error) => {
        // The other connections are as old and probably dead too.
        if (error instanceof NoResponse) connections.cut();
      });
      await within(limits.pollResponseMs, client.end()).catch(() => {});
      // Commits may have been missed meanwhile.
      notifiedMs = Number.NEGATIVE_INFINITY;
      await wakeup.wait(limits.reconnectMs);
    }
  };
  const ended = run();

  return {
    subscribe,
    notify,
    isFresh: () => now() < freshUntilMs,
    close: () => {
      freshUntilMs = Number.NEGATIVE_INFINITY;
      clear();
      isClosed = true;
      wakeup.wake();
      return ended;
    },
  };
}

/** The payload of a change that changes no cached read: of checks, or of a register. */
export const UNCACHED = 'uncached';

/** The channel of notifications. A service has its own database. */
export const CHANNEL = 'access_admin';

interface PollRow {
  readonly xmin: string;
  readonly changed: readonly (readonly [tenant: string, changedBy: string])[] | null;
}

/** Finds the tenants that were changed since the last poll. */
function createPoll(client: pg.Client): () => Promise<readonly string[]> {
  let xmin: string | null = null;
  let seen = new Map<string, string>();
  return async () => {
    // Transactions unfinished at the last poll have numbers from its xmin on. Future numbers come from another server, of
    // which this database is a dump.
    const { rows } = await client.query<PollRow>({
      name: 'poll',
      text: `
        select pg_snapshot_xmin(pg_current_snapshot())::text as xmin, (
          select json_agg(json_build_array(tenant, changed_by::text)) from tenant_change
          where changed_by >= $1::xid8 and changed_by < pg_snapshot_xmax(pg_current_snapshot())
        ) as changed`,
      values: [xmin],
    });
    const [row] = rows;
    const found = new Map(row?.changed ?? []);
    const changed = [...found].filter(([tenant, changedBy]) => seen.get(tenant) !== changedBy);
    xmin = row?.xmin ?? null;
    seen = found;
    return [...new Set(changed.map(([queueName]) => tenantOfQueue(queueName)))];
  };
}

/** Waits that a call of `wake` ends early, also a call before the wait. */
function createWakeup() {
  let isWoken = false;
  let endWait = () => {};
  const wake = () => {
    isWoken = true;
    endWait();
  };
  return {
    wake,
    /** Resolves with whether `wake` was called. */
    wait: async (ms: number): Promise<boolean> => {
      if (!isWoken) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          endWait = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      const wasWoken = isWoken;
      isWoken = false;
      return wasWoken;
    },
  };
}

class NoResponse extends Error {}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new NoResponse()), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
