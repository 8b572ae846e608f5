import type { SodCheck } from '@access-admin/domain';

/** A check that somebody waits for, perhaps many. */
export interface Watch {
  readonly tenant: string;
  readonly requestId: string;
  /** What has become of it, or why that cannot be known. */
  readonly settled: Promise<SodCheck | null>;
}

/** The checks that are waited for. */
export interface Watches {
  /** The watch of a check, the same for all who wait for it. */
  join(tenant: string, requestId: string): Watch;
  leave(watch: Watch): void;
  /** Tells all who wait for it. Whoever joins from now on waits anew. */
  settle(watch: Watch, outcome: Promise<SodCheck | null>): void;
  isWatched(watch: Watch): boolean;
  /** All of them, one of each tenant in turn: who has many does not hold up the others. */
  inTurn(): readonly Watch[];
}

interface Entry extends Watch {
  readonly resolve: (outcome: Promise<SodCheck | null>) => void;
  members: number;
}

export function createWatches(): Watches {
  const byTenant = new Map<string, Map<string, Entry>>();
  const find = ({ tenant, requestId }: Pick<Watch, 'tenant' | 'requestId'>) => byTenant.get(tenant)?.get(requestId);
  const remove = ({ tenant, requestId }: Watch) => {
    const own = byTenant.get(tenant);
    own?.delete(requestId);
    if (own?.size === 0) byTenant.delete(tenant);
  };
  return {
    join(tenant, requestId) {
      const own = byTenant.get(tenant) ?? new Map<string, Entry>();
      byTenant.set(tenant, own);
      const entry = own.get(requestId) ?? createEntry(tenant, requestId);
      own.set(requestId, entry);
      entry.members += 1;
      return entry;
    },
    leave(watch) {
      const entry = find(watch);
      if (entry !== watch || entry === undefined) return;
      entry.members -= 1;
      if (entry.members === 0) remove(entry);
    },
    settle(watch, outcome) {
      // Nobody may be left to hear of a failure.
      outcome.catch(() => {});
      const entry = find(watch);
      if (entry !== watch || entry === undefined) return;
      remove(entry);
      entry.resolve(outcome);
    },
    isWatched: (watch) => find(watch) === watch,
    inTurn() {
      const watches: Watch[] = [];
      let rows = [...byTenant.values()].map((own) => own.values());
      while (rows.length > 0)
        rows = rows.filter((row) => {
          const { done, value } = row.next();
          if (value !== undefined) watches.push(value);
          return done !== true;
        });
      return watches;
    },
  };
}

function createEntry(tenant: string, requestId: string): Entry {
  const { promise, resolve } = Promise.withResolvers<SodCheck | null>();
  promise.catch(() => {});
  return { tenant, requestId, settled: promise, resolve, members: 0 };
}
