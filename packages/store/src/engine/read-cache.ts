import { LRUCache } from 'lru-cache';
import type { MaybePromise } from '../concurrency/maybe-promise.ts';

const ENTRIES_MAX = 100_000;

/** Another value as soon as reads of the tenant may have changed; null while that is not known. */
export type EpochOf = (tenant: string) => object | number | null;

/** A read that returns what is in memory without a promise. */
export type CachedRead<T> = (tenant: string, id: string) => MaybePromise<T>;

/**
 * Keeps results while the epoch of their tenant lasts, or what `kept` makes of them. Null is read again: a session begins
 * without a new epoch.
 */
export function cacheRead<T extends object | null>(
  epochOf: EpochOf,
  read: (tenant: string, id: string) => Promise<T>,
  kept: (result: T & {}) => T & {} = (result) => result,
): CachedRead<T> {
  interface Entry {
    readonly value: T & {};
    readonly epoch: object | number;
  }
  // With `max`, room for all entries would be taken at once.
  const entries = new LRUCache<string, Entry>({ maxSize: ENTRIES_MAX, sizeCalculation: () => 1 });
  const readAndKeep = async (key: string, [tenant, id]: readonly [string, string], epoch: Entry['epoch'] | null) => {
    const value = await read(tenant, id);
    // What changed during the read has ended the epoch.
    if (value !== null && epoch !== null) entries.set(key, { value: kept(value), epoch });
    return value;
  };
  return (tenant, id) => {
    const key = `${tenant.length} ${tenant}${id}`;
    const epoch = epochOf(tenant);
    const entry = epoch === null ? undefined : entries.get(key);
    return entry !== undefined && entry.epoch === epoch ? entry.value : readAndKeep(key, [tenant, id], epoch);
  };
}
