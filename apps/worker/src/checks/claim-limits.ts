/** The most checks to claim of each tenant. */
export interface ClaimLimits {
  readonly tenantLimits: ReadonlyMap<string, number>;
  /** Of each tenant that `tenantLimits` lacks. */
  readonly otherLimit: number;
}

/**
 * Shares the time of the worker between tenants, by the time that their checks took before: tenants that all have checks to
 * claim may claim as many as take the same time, and one that has had more than another waits until that one has caught up.
 */
export interface TenantLimits {
  /** Counts a check that has taken so long, in milliseconds. */
  count(tenant: string, ms: number): void;
  /** For the next claim, given how many checks are held of each tenant and how many more can be held of all. */
  limits(held: ReadonlyMap<string, number>, free: number): ClaimLimits;
}

/** The checks that are held are concluded in about this time. */
export const HOLD_MS = 250;
/** The most checks of one tenant that are held. */
const TENANT_HELD_MAX = 100;
const TENANT_HELD_MIN = 2;
/** The most checks of a tenant whose checks have not been measured. */
export const UNMEASURED_MAX = 10;
/** With each check, this share of all earlier ones is forgotten. */
const FORGOTTEN = 0.2;
const TENANTS_MAX = 1_000;

interface Usage {
  /** The time and the number of its latest checks. */
  ms: number;
  checks: number;
  /** The time that its checks have taken; time without checks gives no credit. */
  takenMs: number;
}

export function createTenantLimits(): TenantLimits {
  /** In order of their last checks. */
  const usages = new Map<string, Usage>();
  /** The time that the tenant has taken that has taken the least: others begin there. */
  let leastMs = 0;
  /** The tenants with checks that were counted since the latest claim. */
  const counted = new Set<string>();

  const takenBy = (tenant: string): number => Math.max(usages.get(tenant)?.takenMs ?? 0, leastMs);
  const raiseLeast = (present: ReadonlySet<string>) => {
    const taken = Array.from(present, takenBy);
    if (taken.length > 0) leastMs = Math.min(...taken);
  };
  /** How many checks a tenant may hold, as one of so many. */
  const heldMax = (tenant: string, held: number, tenants: number): number => {
    const usage = usages.get(tenant);
    if (usage === undefined) return UNMEASURED_MAX;
    const checkMs = usage.ms / usage.checks;
    const aheadMs = takenBy(tenant) + held * checkMs - leastMs;
    const shareMs = HOLD_MS / tenants;
    // Where nobody has worked since the latest claim, nobody catches up.
    if (aheadMs > shareMs && counted.size > 0) return 0;
    const most = checkMs === 0 ? TENANT_HELD_MAX : Math.floor(shareMs / checkMs);
    return Math.min(TENANT_HELD_MAX, Math.max(TENANT_HELD_MIN, most));
  };

  return {
    count: (tenant, ms) => {
      const { ms: before, checks, takenMs } = usages.get(tenant) ?? { ms: 0, checks: 0, takenMs: 0 };
      usages.delete(tenant);
      usages.set(tenant, {
        ms: before * (1 - FORGOTTEN) + ms,
        checks: checks * (1 - FORGOTTEN) + 1,
        takenMs: Math.max(takenMs, leastMs) + ms,
      });
      counted.add(tenant);
      const [oldest] = usages.keys();
      if (usages.size > TENANTS_MAX && oldest !== undefined) usages.delete(oldest);
    },
    limits: (held, free) => {
      // A tenant whose last check has just been concluded may have more.
      const present = new Set([...held.keys(), ...counted]);
      raiseLeast(present);
      // None takes more than half of what is free, so that there is capacity for tenants that come later.
      const most = Math.ceil(free / 2);
      const tenantLimits = new Map<string, number>();
      for (const tenant of usages.keys())
        if (!held.has(tenant))
          tenantLimits.set(tenant, Math.min(most, heldMax(tenant, 0, present.size + (present.has(tenant) ? 0 : 1))));
      for (const [tenant, count] of held) {
        const max = heldMax(tenant, count, present.size);
        // Few claims of many checks cost less: a tenant gets new ones when half of what it may hold is free.
        tenantLimits.set(tenant, count * 2 > max ? 0 : Math.min(most, max - count));
      }
      counted.clear();
      return { tenantLimits, otherLimit: Math.min(most, UNMEASURED_MAX) };
    },
  };
}
