/** Capacity that work of all tenants shares. */
export interface Semaphore {
  /** Resolves once there is capacity of this size for the tenant, with a function that gives it back. */
  acquire(tenant: string, size?: number): Promise<() => void>;
}

export interface SemaphoreBounds {
  readonly all: number;
  readonly ofTenant: number;
}

interface Waiting {
  readonly size: number;
  begin(): void;
}

/**
 * The tenant that holds the least comes first, and none holds more than its bound: receivers that hang cost others
 * nothing. A tenant that holds nothing may exceed its bound by one entry.
 */
export function createSemaphore({ all, ofTenant }: SemaphoreBounds): Semaphore {
  const underway = new Map<string, number>();
  const waiting = new Map<string, Waiting[]>();
  let sum = 0;
  const heldBy = (tenant: string) => underway.get(tenant) ?? 0;

  const next = (): string | null => {
    let chosen: string | null = null;
    for (const [tenant, [first]] of waiting) {
      const held = heldBy(tenant);
      const size = first?.size ?? 0;
      const fits = held === 0 || held + size <= ofTenant;
      if (fits && (chosen === null || held < heldBy(chosen))) chosen = tenant;
    }
    return chosen;
  };
  const admit = () => {
    for (let tenant = next(); tenant !== null; tenant = next()) {
      const queue = waiting.get(tenant) ?? [];
      const size = queue[0]?.size ?? 0;
      if (sum > 0 && sum + size > all) return;
      const first = queue.shift();
      if (queue.length === 0) waiting.delete(tenant);
      sum += size;
      underway.set(tenant, heldBy(tenant) + size);
      first?.begin();
    }
  };
  const release = (tenant: string, size: number) => {
    sum -= size;
    const left = heldBy(tenant) - size;
    if (left === 0) underway.delete(tenant);
    else underway.set(tenant, left);
    admit();
  };

  return {
    acquire: (tenant, size = 1) =>
      new Promise((resolve) => {
        const queue = waiting.get(tenant) ?? [];
        queue.push({ size, begin: () => resolve(() => release(tenant, size)) });
        waiting.set(tenant, queue);
        admit();
      }),
  };
}
