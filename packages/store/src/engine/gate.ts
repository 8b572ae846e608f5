import { startStopwatch } from './concurrency/stopwatch.ts';
import type { Database, ReadsAndWrites } from './database.ts';
import { StorageUnavailable } from './errors.ts';

/** Counts running work, so that a store can close after it. */
interface Gate {
  pass<T>(work: () => Promise<T>): Promise<T>;
  /** Passes each call through the gate as work. All calls of a `hold` are one work, which ends between two of them when it is long. */
  guard(held: ReadsAndWrites): Pick<Database, keyof ReadsAndWrites | 'hold'>;
  /** Aborted with the error of `pass` once the gate is closed. */
  readonly closing: AbortSignal;
  /** Refuses new work and resolves when no work is running. Call it once. */
  close(): Promise<void>;
}

/** Work of several calls that is under way when the gate is closed may begin further ones for this long. */
const HELD_MS_MAX = 1_000;

export function createGate(): Gate {
  let running = 0;
  let closedForMs = () => 0;
  const controller = new AbortController();
  const closing = controller.signal;
  const { promise: idle, resolve: becomeIdle } = Promise.withResolvers<void>();
  const pass: Gate['pass'] = async (work) => {
    closing.throwIfAborted();
    running += 1;
    try {
      return await work();
    } finally {
      running -= 1;
      if (closing.aborted && running === 0) becomeIdle();
    }
  };
  const throwIfOver = () => {
    if (closing.aborted && closedForMs() > HELD_MS_MAX) closing.throwIfAborted();
  };
  const limit = (held: ReadsAndWrites): ReadsAndWrites => ({
    read: async (query) => {
      throwIfOver();
      return held.read(query);
    },
    write: async (scope, transaction) => {
      throwIfOver();
      return held.write(scope, transaction);
    },
    writeAlone: async (scope, transaction) => {
      throwIfOver();
      return held.writeAlone(scope, transaction);
    },
  });
  return {
    pass,
    guard: (held) => ({
      read: (query) => pass(() => held.read(query)),
      write: (scope, transaction) => pass(() => held.write(scope, transaction)),
      writeAlone: (scope, transaction) => pass(() => held.writeAlone(scope, transaction)),
      hold: (work) => pass(() => work(limit(held))),
    }),
    closing,
    close: () => {
      closedForMs = startStopwatch();
      controller.abort(new StorageUnavailable('The store is closed.'));
      if (running === 0) becomeIdle();
      return idle;
    },
  };
}
