/** Lets the event loop turn between pieces of long work, so that short work waits for one piece at most. */
export interface Scheduler {
  /** Resolves in a later turn of the event loop, in which no other caller goes on. */
  yield(tenant?: string): Promise<void>;
  /** Resolves as `yield` does when a yield is due; undefined while less than a few milliseconds have passed since the last one. */
  yieldIfDue(tenant?: string): Promise<void> | undefined;
}

export interface SchedulerOptions {
  /** In ms; its differences count. */
  readonly elapsed: () => number;
  /** How long work may go on until a yield is due, in ms. */
  readonly dueAfterMs: number;
}

/**
 * All long work of a process shares one. In each turn of the event loop one caller goes on: tenants in turn, and the callers of
 * one tenant in the order of yielding.
 */
export function createScheduler({ elapsed, dueAfterMs }: SchedulerOptions): Scheduler {
  // In the order of service.
  const waiting = new Map<string, (() => void)[]>();
  let wentOnMs = Number.NEGATIVE_INFINITY;
  const goOn = () => {
    wentOnMs = elapsed();
    const next = waiting.entries().next().value;
    if (next === undefined) return;
    const [tenant, queue] = next;
    const resume = queue.shift();
    waiting.delete(tenant);
    // What the tenant still has waits behind all others.
    if (queue.length > 0) waiting.set(tenant, queue);
    if (waiting.size > 0) setImmediate(goOn);
    resume?.();
  };
  const yieldAlways = (tenant = ''): Promise<void> =>
    new Promise((resolve) => {
      if (waiting.size === 0) setImmediate(goOn);
      const queue = waiting.get(tenant);
      if (queue === undefined) waiting.set(tenant, [resolve]);
      else queue.push(resolve);
    });
  return {
    yield: yieldAlways,
    yieldIfDue: (tenant) => (elapsed() - wentOnMs < dueAfterMs ? undefined : yieldAlways(tenant)),
  };
}
