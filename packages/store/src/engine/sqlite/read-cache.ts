import type { MaybePromise } from '../database.ts';
import { createTenantMap } from '../tenant-map.ts';

const ENTRIES_MAX = 100_000;

/** What reads found, for as long as no connection has committed anything since. */
export interface SqliteReadCache {
  /** A read whose result is kept under its key, and at once there when it is; call it as if it read each time. `guard` is for what touches the connection. */
  remember<T extends object | null>(
    read: (tenant: string, id: string) => T,
    guard: (attempt: () => T) => Promise<T>,
  ): (tenant: string, id: string) => MaybePromise<T>;
  /** A number that is another after each commit but those that were passed over. Whoever learns of one this way reads what it brought. */
  look(): number;
  /**
   * To be called within a write of this process that changes nothing of what is remembered; what it returns, after the
   * commit: that one is passed over, unless another connection has committed something too.
   */
  expectNothing(): () => void;
  /** This process has committed: looks again at the next read, in this turn of the event loop already. */
  expire(): void;
}

interface ReadCacheDeps {
  /** Another number after each commit. */
  readVersion(): number;
  /** Another number after each commit but those of this process. */
  readOthersVersion(): number;
}

/**
 * Looks at the version of the data at the first read of each turn of the event loop, so that all requests of a turn share
 * one look. What this process has committed is seen at once; what others commit, at the latest a turn after.
 */
export function createSqliteReadCache({ readVersion, readOthersVersion }: ReadCacheDeps): SqliteReadCache {
  const caches: { clear(): void }[] = [];
  let version: number | null = null;
  let looked = 0;
  let isFresh = false;

  const expire = () => {
    isFresh = false;
  };

  const look = () => {
    const current = readVersion();
    if (current !== version) {
      for (const cache of caches) cache.clear();
      looked += 1;
    }
    version = current;
    return looked;
  };

  // Nobody else can commit before this write has: what it finds changed is its own doing, as long as the others have not.
  const expectNothing = () => {
    look();
    const others = readOthersVersion();
    return () => {
      const current = orNull(readVersion);
      if (current !== null && orNull(readOthersVersion) === others) version = current;
    };
  };

  const refresh = () => {
    if (isFresh) return;
    look();
    isFresh = true;
    setImmediate(expire);
  };

  return {
    remember: <T extends object | null>(
      read: (tenant: string, id: string) => T,
      guard: (attempt: () => T) => Promise<T>,
    ) => {
      const known = createTenantMap<T>(ENTRIES_MAX);
      caches.push(known);
      return (tenant, id) => {
        const remembered = isFresh ? known.get(tenant, id) : undefined;
        if (remembered !== undefined) return remembered;
        return guard(() => {
          refresh();
          const value = read(tenant, id);
          known.set(tenant, id, value);
          return value;
        });
      };
    },
    look,
    expectNothing,
    expire,
  };
}

/** A version that cannot be read now is no matter of a write that is committed. */
function orNull(read: () => number): number | null {
  try {
    return read();
  } catch {
    return null;
  }
}
