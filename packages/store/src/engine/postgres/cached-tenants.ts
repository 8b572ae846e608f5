import { LRUCache } from 'lru-cache';
import type { EpochOf } from '../read-cache.ts';

const TENANTS_MAX = 10_000;
/** How long a tenant is polled after its last read. */
const UNUSED_MS_MAX = 60_000;

/** The versions of tenants by name, and that of shared data. */
export interface Versions {
  readonly ofTenants: ReadonlyMap<string, number>;
  readonly shared: number;
}

/** The tenants with cached reads, and whether these are still valid. */
export interface CachedTenants {
  /** Null once the last poll is too old. */
  readonly epochOf: EpochOf;
  names(): readonly string[];
  /** Ends the epoch of a tenant that has changed. */
  forget(tenant: string): void;
  /** Ends all epochs: changes may have been missed. */
  forgetAll(): void;
  /** Ends the epochs of tenants whose version is another one than in the last poll. The poll was of all names, and began at `startedMs`. */
  compare(found: Versions, startedMs: number): void;
}

interface Epoch {
  /** As of the last poll; null before the first. */
  readonly version: number | null;
}

interface CachedTenantsDeps {
  /** The greatest age of a poll that cached reads are used with. */
  readonly freshMs: number;
  now(): number;
}

export function createCachedTenants({ freshMs, now }: CachedTenantsDeps): CachedTenants {
  const epochs = new LRUCache<string, Epoch>({
    maxSize: TENANTS_MAX,
    sizeCalculation: () => 1,
    ttl: UNUSED_MS_MAX,
    updateAgeOnGet: true,
  });
  let shared: number | null = null;
  let freshUntilMs = Number.NEGATIVE_INFINITY;
  const begin = (tenant: string, epoch: Epoch): Epoch => {
    epochs.set(tenant, epoch);
    return epoch;
  };
  return {
    epochOf: (tenant) => (now() < freshUntilMs ? (epochs.get(tenant) ?? begin(tenant, { version: null })) : null),
    names: () => [...epochs.keys()],
    forget: (tenant) => {
      epochs.delete(tenant);
    },
    forgetAll: () => {
      epochs.clear();
      shared = null;
      freshUntilMs = Number.NEGATIVE_INFINITY;
    },
    compare: (found, startedMs) => {
      // The removal of a tenant's versions raises the shared version afterwards, because new versions may equal the removed ones.
      if (found.shared !== shared) epochs.clear();
      shared = found.shared;
      for (const [tenant, { version }] of [...epochs.entries()]) {
        const now = found.ofTenants.get(tenant) ?? 0;
        // What was read before the first poll of the tenant may have changed before it.
        if (now !== version) begin(tenant, { version: now });
      }
      freshUntilMs = startedMs + freshMs;
    },
  };
}
