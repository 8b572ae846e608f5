import type { Remembered } from './store.ts';
import { createTenantMap } from './tenant-map.ts';

const ENTRIES_MAX = 100_000;

/** What reads found, for as long as no connection has committed anything since. */
export interface SqliteReadCache {
  /** A read whose result is kept under its key, and at once there when it is; call it as if it read each time. `guard` is for what touches the connection. */
  remember<T extends object | null>(
    read: (tenant: string, id: string) => T,
    guard: (attempt: () => T) => Promise<T>,
  ): (tenant: string, id: string) => Remembered<T>;
  /** The version of the data now. Whoever learns of a commit this way reads what it brought. */
  look(): number;
  /** This process has committed: looks again at the next read, in this turn of the event loop already. */
  expire(): void;
}

/**
 * Looks at the version of the data at the first read of each turn of the event loop, so that all requests of a turn share
 * one look. What this process has committed is seen at once; what others commit, at the latest a turn after.
 */
export function createSqliteReadCache(readDataVersion: () => number): SqliteReadCache {
  const caches: { clear(): void }[] = [];
  let version: number | null = null;
  let isFresh = false;

  const expire = () => {
    isFresh = false;
  };

  const look = () => {
    const current = readDataVersion();
    if (current !== version) for (const cache of caches) cache.clear();
    version = current;
    return current;
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
    expire,
  };
}
