import type { MaybePromise } from '../database.ts';
import { createTenantMap } from '../tenant-map.ts';
import type { Changed } from './commit-signal.ts';

const ENTRIES_MAX = 100_000;

/** What reads found, for as long as nobody is known to have changed it and this process would know. */
export interface PostgresReadCache {
  /** A read whose result is kept under its key, and at once there when it is. */
  remember<T>(read: (key: ReadKey) => Promise<T>): (tenant: string, id: string) => MaybePromise<T>;
  /** What was read of these, or is being read now, is not to be used again. */
  forget(changed: Changed): void;
}

export interface ReadKey {
  readonly tenant: string;
  readonly id: string;
}

export function createPostgresReadCache(isFresh: () => boolean): PostgresReadCache {
  const caches: { clear(): void; clearTenant(tenant: string): void }[] = [];
  let changes = 0;

  return {
    remember: <T>(read: (key: ReadKey) => Promise<T>) => {
      const known = createTenantMap<T>(ENTRIES_MAX);
      caches.push(known);
      const readAndKeep = async (key: ReadKey) => {
        const before = changes;
        const value = await read(key);
        // It may be of before a change that has been learnt of meanwhile.
        if (changes === before) known.set(key.tenant, key.id, value);
        return value;
      };
      return (tenant, id) => {
        const remembered = isFresh() ? known.get(tenant, id) : undefined;
        return remembered === undefined ? readAndKeep({ tenant, id }) : remembered;
      };
    },
    forget: (changed) => {
      changes += 1;
      for (const cache of caches) {
        if (changed === 'all') cache.clear();
        else for (const tenant of changed) cache.clearTenant(tenant);
      }
    },
  };
}
