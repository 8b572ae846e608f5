import type { Remembered } from './store.ts';

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
  const maps: Map<string, unknown>[] = [];
  let version: number | null = null;
  let isFresh = false;

  const expire = () => {
    isFresh = false;
  };

  const look = () => {
    const current = readDataVersion();
    if (current !== version) for (const map of maps) map.clear();
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
      const known = new Map<string, T>();
      maps.push(known);
      return (tenant, id) => {
        // No tenant has a slash in it.
        const key = `${tenant}/${id}`;
        const remembered = isFresh ? known.get(key) : undefined;
        if (remembered !== undefined) return remembered;
        return guard(() => {
          refresh();
          const value = read(tenant, id);
          if (known.size >= ENTRIES_MAX) known.clear();
          known.set(key, value);
          return value;
        });
      };
    },
    look,
    expire,
  };
}
