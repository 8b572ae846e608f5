/**
 * Divides time between tenants, by fair queueing over measured time: the next turn is that of the tenant whose work has taken
 * the least time. Tenants that all have work get the same time, except for one turn, however long their turns are.
 */
export interface TimeShares {
  /** The tenant has work from now on. Earlier time without work gives it no credit. */
  enter(tenant: string): void;
  /** The tenant has no work that could go on now. */
  leave(tenant: string): void;
  /** The tenant whose turn it is; null when none has work. */
  next(): string | null;
  /** Counts time that work of a tenant has taken, in milliseconds; also of one that has left. */
  charge(tenant: string, ms: number): void;
}

// So many tenants without work are remembered for the time that they have taken too much.
const ABSENT_MAX = 1_000;

export function createTimeShares(): TimeShares {
  /** In order of arrival, which decides between equals. */
  const present = new Set<string>();
  const takenMs = new Map<string, number>();
  /** The time of the tenant that had the last turn: a tenant that enters starts there. */
  let startMs = 0;

  const takenBy = (tenant: string): number => Math.max(takenMs.get(tenant) ?? 0, startMs);
  const forgetAbsent = () => {
    for (const [tenant, ms] of takenMs) if (ms <= startMs && !present.has(tenant)) takenMs.delete(tenant);
  };

  return {
    enter: (tenant) => {
      if (present.has(tenant)) return;
      takenMs.set(tenant, takenBy(tenant));
      present.add(tenant);
    },
    leave: (tenant) => {
      present.delete(tenant);
      if (takenMs.size > present.size + ABSENT_MAX) forgetAbsent();
    },
    next: () => {
      let [first, least]: [string | null, number] = [null, Number.POSITIVE_INFINITY];
      for (const tenant of present) {
        const ms = takenMs.get(tenant) ?? 0;
        if (ms < least) [first, least] = [tenant, ms];
      }
      if (first !== null) startMs = Math.max(startMs, least);
      return first;
    },
    charge: (tenant, ms) => {
      const taken = takenBy(tenant) + Math.max(0, ms);
      takenMs.set(tenant, taken);
      // Time that no other tenant has waited for is no debt.
      if (present.size === 0) startMs = taken;
    },
  };
}
