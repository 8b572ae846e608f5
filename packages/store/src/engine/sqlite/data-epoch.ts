import type { EpochOf } from '../read-cache.ts';

/** Which commits the connection has seen. */
export interface DataEpoch {
  /** Polls at the first call of each turn of the event loop: requests of a turn share a poll, and a commit by another process is seen a turn later. */
  readonly of: EpochOf;
  /** A number that changes with each commit, except for ignored ones. */
  poll(): number;
  /**
   * Call it within a write of this process that changes no cached read, and call the returned function after the commit. The commit
   * is then ignored, unless another connection has committed too.
   */
  expectNoChange(): () => void;
  /** Makes the next call of `of` poll again, even within this turn of the event loop. Called after a commit of this process. */
  expire(): void;
}

interface DataEpochDeps {
  /** A number that changes with each commit. */
  readVersion(): number;
  /** A number that changes with each commit of other connections. */
  readOthersVersion(): number;
}

export function createDataEpoch({ readVersion, readOthersVersion }: DataEpochDeps): DataEpoch {
  let version: number | null = null;
  let epoch = 0;
  let isFresh = false;

  const expire = () => {
    isFresh = false;
  };
  const poll = () => {
    const current = readVersion();
    if (current !== version) epoch += 1;
    version = current;
    return epoch;
  };
  return {
    of: () => {
      if (isFresh) return epoch;
      if (orNull(poll) === null) return null;
      isFresh = true;
      setImmediate(expire);
      return epoch;
    },
    poll,
    expectNoChange: () => {
      poll();
      const others = readOthersVersion();
      return () => {
        const current = orNull(readVersion);
        // No other connection can commit during the write: unless it did before or after, the new version is of the write.
        if (current !== null && orNull(readOthersVersion) === others) version = current;
      };
    },
    expire,
  };
}

/** Null instead of an error: the file may be away for a moment. */
function orNull(read: () => number): number | null {
  try {
    return read();
  } catch {
    return null;
  }
}
