/** The work that the checks of each tenant take, so that a worker holds no more of them than it can do soon. */
export interface Costs {
  /** Counts work on checks of a tenant, in milliseconds. */
  addWork(tenant: string, ms: number): void;
  /** Counts a check that is done. */
  addCheck(tenant: string): void;
  /** The most checks to claim of tenants, given how many are held of each; a tenant without an entry has no limit. */
  limits(held: ReadonlyMap<string, number>): ReadonlyMap<string, number>;
}

/** The checks that are held are concluded in about this time. */
const HOLD_MS = 250;
/** The most checks of one tenant that are held. */
const TENANT_HELD_MAX = 100;
const TENANT_HELD_MIN = 2;
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
    limits: (held) => {
      const limits = new Map<string, number>();
      for (const [tenant, count] of held) {
        const places = placesOf(tenant, held.size);
        // Few claims of many checks cost less: a tenant gets new ones when half of its places are free.
        limits.set(tenant, count * 2 > places ? 0 : places - count);
      }
      for (const tenant of costs.keys()) {
        const places = placesOf(tenant, held.size + 1);
        if (!held.has(tenant) && places < TENANT_HELD_MAX) limits.set(tenant, places);
      }
      return limits;
    },
  };
}
