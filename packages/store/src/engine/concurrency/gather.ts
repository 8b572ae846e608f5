import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';

interface GatherLimits {
  /** The most requests of one group. */
  readonly requestsMax: number;
  /** How many groups may run at a time: while one waits for the disk, another is put together. */
  readonly lanes?: number;
}

// Smaller groups are not worth a lane of their own.
const SHARE_MIN = 16;

/**
 * Carries out requests of one turn of the event loop, and those that come while others run, as one group. `carryOut` returns
 * an outcome for each in order. A group fails as a whole.
 */
export function gather<R, O>(
  carryOut: (requests: readonly R[]) => Promise<readonly O[]>,
  { requestsMax, lanes = 1 }: GatherLimits,
): (request: R) => Promise<O> {
  interface Waiting {
    readonly request: R;
    readonly resolve: (outcome: O) => void;
    readonly reject: (error: unknown) => void;
  }
  const waiting: Waiting[] = [];
  let running = 0;
  let busy = 0;

  const carryOutNext = async () => {
    // Idle lanes share the waiting requests equally.
    const share = Math.max(SHARE_MIN, Math.ceil(waiting.length / (lanes - busy)));
    const group = waiting.splice(0, Math.min(share, requestsMax));
    busy += 1;
    try {
      const outcomes = await carryOut(group.map(({ request }) => request));
      for (const [place, outcome] of outcomes.entries()) group[place]?.resolve(outcome);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
    busy -= 1;
  };

  const run = async () => {
    running += 1;
    // Later requests of this turn join the group.
    for (await setImmediate(); waiting.length > 0; await setImmediate()) await carryOutNext();
    running -= 1;
  };

  return (request) =>
    new Promise((resolve, reject) => {
      waiting.push({ request, resolve, reject });
      if (running < lanes) void run();
    });
}

const TENANTS_MAX = 10_000;
const KEYS_MAX = 1_000;

/** Gathers reads by tenant: those of one turn are one statement, which names the tenant. */
export function gatherByTenant<O>(
  read: (tenant: string, ids: readonly string[]) => Promise<readonly O[]>,
): (tenant: string, id: string) => Promise<O> {
  // With `max`, room for all of them would be taken at once.
  const gathered = new LRUCache<string, (id: string) => Promise<O>>({
    maxSize: TENANTS_MAX,
    sizeCalculation: () => 1,
  });
  return (tenant, id) => {
    const known = gathered.get(tenant);
    if (known !== undefined) return known(id);
    const readOne = gather<string, O>((ids) => read(tenant, ids), { requestsMax: KEYS_MAX });
    gathered.set(tenant, readOne);
    return readOne(id);
  };
}
