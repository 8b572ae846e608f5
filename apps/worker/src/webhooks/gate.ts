/** Attempts that may be under way at the same time. */
export interface Gate {
  /** Resolves once an attempt of the tenant may begin, with a function that ends it. */
  enter(tenant: string): Promise<() => void>;
}

export interface GateBounds {
  readonly all: number;
  readonly ofTenant: number;
}

/** The tenant with the fewest attempts under way comes first, and none has more than its bound: receivers that hang cost others nothing. */
export function createGate({ all, ofTenant }: GateBounds): Gate {
  const underway = new Map<string, number>();
  const waiting = new Map<string, (() => void)[]>();
  let count = 0;

  const next = (): string | null => {
    let chosen: string | null = null;
    for (const tenant of waiting.keys()) {
      const held = underway.get(tenant) ?? 0;
      if (held < ofTenant && (chosen === null || held < (underway.get(chosen) ?? 0))) chosen = tenant;
    }
    return chosen;
  };
  const admit = () => {
    while (count < all) {
      const tenant = next();
      if (tenant === null) return;
      const queue = waiting.get(tenant) ?? [];
      const begin = queue.shift();
      if (queue.length === 0) waiting.delete(tenant);
      count += 1;
      underway.set(tenant, (underway.get(tenant) ?? 0) + 1);
      begin?.();
    }
  };
  const leave = (tenant: string) => {
    count -= 1;
    const left = (underway.get(tenant) ?? 1) - 1;
    if (left === 0) underway.delete(tenant);
    else underway.set(tenant, left);
    admit();
  };

  return {
    enter: (tenant) =>
      new Promise((resolve) => {
        const queue = waiting.get(tenant) ?? [];
        queue.push(() => resolve(() => leave(tenant)));
        waiting.set(tenant, queue);
        admit();
      }),
  };
}
