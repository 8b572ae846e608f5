import { LRUCache } from 'lru-cache';
import type { MaybePromise } from '../../concurrency/maybe-promise.ts';
import { type ReadKey, textOfKey } from '../read-key.ts';
import type { Changed } from './commit-signal.ts';

const ENTRIES_MAX = 100_000;

/** Results of reads, valid until a change of them is known and while this process would learn of one. */
export interface PostgresReadCache {
  /** A read whose result, or what `kept` makes of it, is kept by key and returned without a promise while it is valid. Null is read again: a session begins without a signal. */
  cached<T extends object | null>(
    read: (key: ReadKey) => Promise<T>,
    kept?: (result: T & {}) => T & {},
  ): (tenant: string, id: string) => MaybePromise<T>;
  /** Invalidates the results of these tenants, including those of reads under way. */
  forget(changed: Changed): void;
}

/** Results of a tenant that began under it are valid until it ends. */
interface Period {
  hasEnded: boolean;
}

interface Kept<T> {
  readonly value: T;
  readonly period: Period;
}

export function createPostgresReadCache(isFresh: (tenant: string) => boolean): PostgresReadCache {
  const periods = new LRUCache<string, Period>({
    maxSize: ENTRIES_MAX,
    sizeCalculation: () => 1,
    dispose: (period) => {
      period.hasEnded = true;
    },
  });
  const currentPeriod = (tenant: string): Period => {
    const known = periods.get(tenant);
    if (known !== undefined) return known;
    const period = { hasEnded: false };
    periods.set(tenant, period);
    return period;
  };

  return {
    cached: <T extends object | null>(
      read: (key: ReadKey) => Promise<T>,
      kept: (result: T & {}) => T & {} = (result) => result,
    ) => {
      const known = new LRUCache<string, Kept<T>>({ maxSize: ENTRIES_MAX, sizeCalculation: () => 1 });
      const readAndKeep = async (key: ReadKey) => {
        // The read may see the state before a change that becomes known meanwhile: then the period has ended.
        const period = currentPeriod(key.tenant);
        const value = await read(key);
        if (value !== null && !period.hasEnded)
          known.set(textOfKey(key.tenant, key.id), { value: kept(value), period });
        return value;
      };
      return (tenant, id) => {
        const found = isFresh(tenant) ? known.get(textOfKey(tenant, id)) : undefined;
        return found === undefined || found.period.hasEnded ? readAndKeep({ tenant, id }) : found.value;
      };
    },
    forget: (changed) => {
      if (changed === 'all') periods.clear();
      else for (const tenant of changed) periods.delete(tenant);
    },
  };
}
