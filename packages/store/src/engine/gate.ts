import { StorageUnavailable } from './errors.ts';

/** Counts what runs, so that a store can be closed after the last of it. */
interface Gate {
  pass<T>(work: () => Promise<T>): Promise<T>;
  /** Aborted, with what `pass` refuses with, once it is closed. */
  readonly closing: AbortSignal;
  /** Refuses what comes from now on and resolves when nothing runs any more. To be called once. */
  close(): Promise<void>;
}

export function createGate(): Gate {
  let running = 0;
  const controller = new AbortController();
  const closing = controller.signal;
  const { promise: idle, resolve: becomeIdle } = Promise.withResolvers<void>();
  return {
    pass: async (work) => {
      closing.throwIfAborted();
      running += 1;
      try {
        return await work();
      } finally {
        running -= 1;
        if (closing.aborted && running === 0) becomeIdle();
      }
    },
    closing,
    close: () => {
      controller.abort(new StorageUnavailable('The store is closed.'));
      if (running === 0) becomeIdle();
      return idle;
    },
  };
}
