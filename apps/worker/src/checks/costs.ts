/** The work that the checks of each tenant take, so that a worker holds no more of them than it can do soon. */
export interface Costs {
  /** Counts work on checks of a tenant, in milliseconds. */
  addWork(tenant: string, ms: number): void;
  /** Counts a check that is done. */
  addCheck(tenant: string): void;
  /** The most checks to claim of tenants, given how many are held of each and how many more can be held of all. */
  limits(held: ReadonlyMap<string, number>, free: number): ClaimLimits;
}

/** The most checks to claim of each tenant. */
export interface ClaimLimits {
  readonly tenantLimits: ReadonlyMap<string, number>;
  /** Of each tenant that `tenantLimits` lacks. */
  readonly otherLimit: number;
}

/** The checks that are held are concluded in about this time. */
export const HOLD_MS = 250;
/** The most checks of one tenant that are held. */
const TENANT_HELD_MAX = 100;
const TENANT_HELD_MIN = 2;
/** The most checks of a tenant whose checks have not been measured. */
const UNMEASURED_MAX = 50;
/** With each check, this share of all earlier ones is forgotten. */
const FORGOTTEN = 0.2;
const TENANTS_MAX = 1_000;

interface Cost {
  ms: number;
  checks: number;
}

export function createCosts(): Costs {
  /** In order of their last work. */
  const costs = new Map<string, Cost>();

  const latest = (tenant: string): Cost => {
    const cost = costs.get(tenant) ?? { ms: 0, checks: 0 };
    costs.delete(tenant);
    costs.set(tenant, cost);
    const [oldest] = costs.keys();
    if (costs.size > TENANTS_MAX && oldest !== undefined) costs.delete(oldest);
    return cost;
  };
  const placesOf = (tenant: string, tenants: number): number => {
    const { ms, checks } = costs.get(tenant) ?? { ms: 0, checks: 0 };
    if (ms === 0 && checks === 0) return UNMEASURED_MAX;
    const places = ms === 0 ? TENANT_HELD_MAX : Math.floor((HOLD_MS / tenants) * (Math.max(1, checks) / ms));
    return Math.min(TENANT_HELD_MAX, Math.max(TENANT_HELD_MIN, places));
  };

  return {
    addWork: (tenant, ms) => {
      latest(tenant).ms += ms;
    },
    addCheck: (tenant) => {
      const cost = latest(tenant);
      cost.ms *= 1 - FORGOTTEN;
      cost.checks = cost.checks * (1 - FORGOTTEN) + 1;
    },
    limits: (held, free) => {
      // None takes more than half of what is free, so that there are places for tenants that come later.
      const most = Math.ceil(free / 2);
      const tenantLimits = new Map<string, number>();
      for (const tenant of costs.keys())
        if (!held.has(tenant)) tenantLimits.set(tenant, Math.min(most, placesOf(tenant, held.size + 1)));
      for (const [tenant, count] of held) {
        const places = placesOf(tenant, held.size);
        // Few claims of many checks cost less: a tenant gets new ones when half of its places are free.
        tenantLimits.set(tenant, count * 2 > places ? 0 : Math.min(most, places - count));
      }
      return { tenantLimits, otherLimit: Math.min(most, UNMEASURED_MAX) };
    },
  };
}
