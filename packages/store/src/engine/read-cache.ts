import { LRUCache } from 'lru-cache';
import type { MaybePromise } from './concurrency/maybe-promise.ts';

const ENTRIES_MAX = 100_000;

/** A value that changes as soon as cached reads of the tenant may be stale; null where nothing may be cached. */
export type EpochOf = (tenant: string) => object | number | null;

/** A read that returns what is in memory without a promise. Reads of a tenant as a whole leave out the id. */
export type CachedRead<T> = (tenant: string, id?: string) => MaybePromise<T>;

/**
 * Keeps results while the epoch of their tenant lasts; concurrent reads of one key share one. Null is not kept: a new session does
 * not change the epoch, so a kept null would hide it.
 */
export function cacheRead<T extends object | null>(
  epochOf: EpochOf,
  read: (tenant: string, id: string) => Promise<T>,
): CachedRead<T> {
  interface Entry {
    readonly value: (T & {}) | Promise<T>;
    readonly epoch: object | number;
  }
  // With `max`, room for all entries would be taken at once.
  const entries = new LRUCache<string, Entry>({ maxSize: ENTRIES_MAX, sizeCalculation: () => 1 });
  const readStorable: typeof read = (tenant, id) => read(withoutNul(tenant), withoutNul(id));

  const readAndKeep = async (key: string, epoch: Entry['epoch'], reading: Promise<T>): Promise<T> => {
    entries.set(key, { value: reading, epoch });
    const value = await reading.catch((error: unknown) => {
      entries.delete(key);
      throw error;
    });
    // What changed during the read has ended the epoch.
    if (value === null) entries.delete(key);
    else entries.set(key, { value, epoch });
    return value;
  };

  return (tenant, id = '') => {
    const epoch = epochOf(tenant);
    if (epoch === null) return readStorable(tenant, id);
    const key = `${tenant.length} ${tenant}${id}`;
    const entry = entries.get(key);
    if (entry?.epoch !== epoch) return readAndKeep(key, epoch, readStorable(tenant, id));
    const { value } = entry;
    return value instanceof Promise ? value.then((found) => found ?? readStorable(tenant, id)) : value;
  };
}

/** PostgreSQL refuses NUL. Nothing is stored under its replacement either, so the read finds nothing on both engines. */
const withoutNul = (text: string): string => text.replaceAll('\0', '\ufffd');
