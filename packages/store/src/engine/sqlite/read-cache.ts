import { LRUCache } from 'lru-cache';
import type { MaybePromise } from '../../concurrency/maybe-promise.ts';
import { textOfKey } from '../read-key.ts';

const ENTRIES_MAX = 100_000;

/** Results of reads, valid until any connection commits. */
export interface SqliteReadCache {
  /** A read whose result is kept by key, unless it is null, and returned without a promise while it is valid. `guard` runs the reads of the connection. */
  cached<T extends object | null>(
    read: (tenant: string, id: string) => T,
    guard: (attempt: () => T) => Promise<T>,
  ): (tenant: string, id: string) => MaybePromise<T>;
  /** Returns a number that changes with each commit, except for ignored ones. Later reads see the commits that it counts. */
  poll(): number;
  /**
   * Call it within a write of this process that changes no cached result, and call the returned function after the
   * commit. The commit is then ignored, unless another connection has committed too.
   */
  expectNoChange(): () => void;
  /** Makes the next read poll again, even within this turn of the event loop. Called after a commit of this process. */
  expire(): void;
}

interface ReadCacheDeps {
  /** A number that changes with each commit. */
  readVersion(): number;
  /** A number that changes with each commit of other connections. */
  readOthersVersion(): number;
}

/**
 * Polls the version of the data at the first read of each turn of the event loop, so that all requests of a turn share one
 * poll; values of earlier turns stay valid until it changes. Commits of this process are seen at once, those of others one
 * turn later at the latest.
 */
export function createSqliteReadCache({ readVersion, readOthersVersion }: ReadCacheDeps): SqliteReadCache {
  const caches: { readonly size: number; clear(): void }[] = [];
  let version: number | null = null;
  let polls = 0;
  let isFresh = false;

  const expire = () => {
    isFresh = false;
  };

  const poll = () => {
    const current = readVersion();
    if (current !== version) {
      for (const cache of caches) if (cache.size > 0) cache.clear();
      polls += 1;
    }
    version = current;
    return polls;
  };

  // No other connection can commit during this write, so a changed version is its own unless the other version changed too.
  const expectNoChange = () => {
    poll();
    const others = readOthersVersion();
    return () => {
      const current = orNull(readVersion);
      if (current !== null && orNull(readOthersVersion) === others) version = current;
    };
  };

  const refresh = () => {
    if (isFresh) return;
    poll();
    isFresh = true;
    setImmediate(expire);
  };

  return {
    cached: <T extends object | null>(
      read: (tenant: string, id: string) => T,
      guard: (attempt: () => T) => Promise<T>,
    ) => {
      const known = new LRUCache<string, T & {}>({ maxSize: ENTRIES_MAX, sizeCalculation: () => 1 });
      caches.push(known);
      return (tenant, id) => {
        const key = textOfKey(tenant, id);
        const value = isFresh ? known.get(key) : undefined;
        if (value !== undefined) return value;
        return guard(() => {
          refresh();
          const kept = known.get(key);
          if (kept !== undefined) return kept;
          const value = read(tenant, id);
          if (value !== null) known.set(key, value);
          return value;
        });
      };
    },
    poll,
    expectNoChange,
    expire,
  };
}

/** Null instead of an error: a committed write must not fail because a version cannot be read. */
function orNull(read: () => number): number | null {
  try {
    return read();
  } catch {
    return null;
  }
}
