/** The time of work that tenants have had, as their claims to further work see it. */
export interface WorkedTime {
  /** In ms. A tenant that has not worked of late counts as one that had as much as the one served last. */
  of(tenant: string): number;
  add(tenant: string, ms: number): void;
  /** Notes that the tenant is served now because it has had the least of all that wait. */
  serve(tenant: string): void;
}

/** More tenants than ever work at the same time: a reason to forget those that have not worked of late. */
const TENANTS_KEPT = 1_000;

/**
 * Start-time fair queueing: of the tenants that wait, the one with the least time is served, so they get equal times however
 * long the steps of each are. Idle tenants save nothing up, and pay for what they took before when they return.
 */
export function createWorkedTime(): WorkedTime {
  const workedMs = new Map<string, number>();
  let servedMs = 0;
  const of = (tenant: string) => Math.max(workedMs.get(tenant) ?? 0, servedMs);
  return {
    of,
    add: (tenant, ms) => {
      workedMs.set(tenant, of(tenant) + ms);
      if (workedMs.size <= TENANTS_KEPT) return;
      for (const [known, knownMs] of workedMs) if (knownMs <= servedMs) workedMs.delete(known);
    },
    serve: (tenant) => {
      servedMs = of(tenant);
    },
  };
}
