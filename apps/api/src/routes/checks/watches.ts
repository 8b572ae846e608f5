import type { StoredCheck } from '@access-admin/store';

/** A check that one or more requests wait for. */
export interface Watch {
  readonly tenant: string;
  readonly requestId: string;
  /** The settled check, or the failure to read it. */
  readonly settled: Promise<StoredCheck | null>;
}

/** The checks that requests wait for. */
export interface Watches {
  /** The watch of a check, shared by all requests that wait for it. */
  join(tenant: string, requestId: string): Watch;
  leave(watch: Watch): void;
  /** Settles it for all waiting requests. A later `join` opens a new watch. */
  settle(watch: Watch, outcome: Promise<StoredCheck | null>): void;
  isWatched(watch: Watch): boolean;
  /** All watches, one of each tenant in turn, so that a tenant with many does not delay the others. */
  listByTurns(): readonly Watch[];
}

interface Entry extends Watch {
  readonly resolve: (outcome: Promise<StoredCheck | null>) => void;
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
      // No request may be left that handles a failure.
      outcome.catch(() => {});
      const entry = find(watch);
      if (entry !== watch || entry === undefined) return;
      remove(entry);
      entry.resolve(outcome);
    },
    isWatched: (watch) => find(watch) === watch,
    listByTurns() {
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
  const { promise, resolve } = Promise.withResolvers<StoredCheck | null>();
  promise.catch(() => {});
  return { tenant, requestId, settled: promise, resolve, members: 0 };
}
