import pg from 'pg';
import { createListeners } from '../listeners.ts';
import type { PostgresConnections } from './pool.ts';

const LOOK_EVERY_MS = 250;
// How old what is remembered of earlier reads may be: below the second that is promised.
const FRESH_MS = 700;
/** A server that is slow, or a process that is busy, is not taken for a connection that is dead. */
const ANSWER_MS_MAX = 5_000;
const TELL_EVERY_MS = 1_000;
const RECONNECT_MS = 100;

/** The tenants that others may have changed, or all of them. */
export type Changed = readonly string[] | 'all';

export interface PostgresCommitSignal {
  /** Calls back after each commit, and once a second whether there was one or not. */
  subscribe(listener: () => void): () => void;
  /** This process has committed. */
  tell(): void;
  /** Whether a look not long ago has found everything that was committed until then. */
  isFresh(): boolean;
  close(): Promise<void>;
}

interface SignalDeps {
  readonly connections: PostgresConnections;
  now(): number;
  onChange(changed: Changed): void;
}

/**
 * Looks four times a second which tenants have been changed, and at once when the server notifies of a commit, on a
 * connection of its own that it makes anew whenever it breaks or gives no answer.
 */
export function createPostgresCommitSignal({ connections, now, onChange }: SignalDeps): PostgresCommitSignal {
  const { subscribe, callAll, clear } = createListeners();
  const bell = createBell();
  let isClosed = false;
  let freshUntilMs = Number.NEGATIVE_INFINITY;
  let toldMs = now();

  const tell = () => {
    toldMs = now();
    callAll();
  };

  const follow = async (client: pg.Client): Promise<void> => {
    client.on('notification', ({ payload }) => (payload === CHECKS ? tell() : bell.ring()));
    client.on('error', bell.ring);
    await within(ANSWER_MS_MAX, client.connect());
    const look = createLook(client);
    await within(ANSWER_MS_MAX, client.query(`listen ${CHANNEL}`));
    // What was remembered before the first look may be of before a change that no later look finds.
    await within(ANSWER_MS_MAX, look());
    onChange('all');
    for (let isSigned = false; !isClosed; isSigned = await bell.wait(LOOK_EVERY_MS)) {
      const startedMs = now();
      const changed = await within(ANSWER_MS_MAX, look());
      if (changed.length > 0) onChange(changed.includes('') ? 'all' : changed);
      freshUntilMs = startedMs + FRESH_MS;
      if (isSigned || changed.length > 0 || now() - toldMs >= TELL_EVERY_MS) tell();
    }
  };

  const run = async () => {
    while (!isClosed) {
      const client = new pg.Client(connections.config);
      client.on('error', () => {});
      await follow(client).catch((error) => {
        // The other connections are of the same age, and hang too.
        if (error instanceof NoAnswer) connections.cut();
      });
      await within(ANSWER_MS_MAX, client.end()).catch(() => {});
      // Nobody knows what was missed meanwhile.
      toldMs = Number.NEGATIVE_INFINITY;
      await bell.wait(RECONNECT_MS);
    }
  };
  const ended = run();

  return {
    subscribe,
    tell,
    isFresh: () => now() < freshUntilMs,
    close: () => {
      freshUntilMs = Number.NEGATIVE_INFINITY;
      clear();
      isClosed = true;
      bell.ring();
      return ended;
    },
  };
}

/** The payload where checks have moved and no tenant has changed. */
export const CHECKS = 'checks';

/** A service has its database to itself. */
export const CHANNEL = 'access_admin';

interface LookRow {
  readonly xmin: string;
  readonly changed: readonly (readonly [tenant: string, changedBy: string])[] | null;
}

/** Finds the tenants that were changed since the last look. */
function createLook(client: pg.Client): () => Promise<readonly string[]> {
  let xmin: string | null = null;
  let seen = new Map<string, string>();
  return async () => {
    // Whatever was not over at the last look has a number from its xmin on. Numbers that are yet to come were given by the
    // server that a dump is of.
    const { rows } = await client.query<LookRow>({
      name: 'look',
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
    return changed.map(([tenant]) => tenant);
  };
}

/** Waits that end early when it rings; a ring before the wait counts. */
function createBell() {
  let hasRung = false;
  let wake = () => {};
  const ring = () => {
    hasRung = true;
    wake();
  };
  return {
    ring,
    /** Whether it has rung. */
    wait: async (ms: number): Promise<boolean> => {
      if (!hasRung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      const rang = hasRung;
      hasRung = false;
      return rang;
    },
  };
}

class NoAnswer extends Error {}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new NoAnswer()), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
