import type { MaybePromise } from '../database.ts';
import { createTenantMap } from '../tenant-map.ts';
import type { Changed } from './commit-signal.ts';

const ENTRIES_MAX = 100_000;

/** Results of reads, valid until a change of them is known and while this process would learn of one. */
export interface PostgresReadCache {
  /** A read whose result is kept by key and returned without a promise while it is valid. Null is read again: a session begins without a signal. */
  cached<T extends object | null>(read: (key: ReadKey) => Promise<T>): (tenant: string, id: string) => MaybePromise<T>;
  /** Invalidates the results of these tenants, including those of reads under way. */
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
    cached: <T extends object | null>(read: (key: ReadKey) => Promise<T>) => {
      const known = createTenantMap<T>(ENTRIES_MAX);
      caches.push(known);
      const readAndKeep = async (key: ReadKey) => {
        const before = changes;
        const value = await read(key);
        // The read may have seen the state before a change that became known meanwhile.
        if (value !== null && changes === before) known.set(key.tenant, key.id, value);
        return value;
      };
      return (tenant, id) => {
        const value = isFresh() ? known.get(tenant, id) : undefined;
        return value === undefined ? readAndKeep({ tenant, id }) : value;
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
