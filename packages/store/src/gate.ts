import { StorageUnavailable } from './store.ts';

/** Counts what runs, so that a store can be closed after the last of it. */
interface Gate {
  pass<T>(work: () => Promise<T>): Promise<T>;
  /** Refuses what comes from now on and resolves when nothing runs any more. To be called once. */
  close(): Promise<void>;
}

export function createGate(): Gate {
  let running = 0;
  let isClosed = false;
  const { promise: idle, resolve: becomeIdle } = Promise.withResolvers<void>();
  return {
    pass: async (work) => {
      if (isClosed) throw new StorageUnavailable('The store is closed.');
      running += 1;
      try {
        return await work();
      } finally {
        running -= 1;
        if (isClosed && running === 0) becomeIdle();
      }
    },
    close: () => {
      isClosed = true;
      if (running === 0) becomeIdle();
      return idle;
    },
  };
}
