import type { WorkedTime } from './worked-time.ts';

export interface FairTurnsOptions {
  /** Monotonic, in ms. */
  readonly elapsed: () => number;
  readonly worked: WorkedTime;
  /**
   * Whether all waiting work rests for as long as the last one worked: the event loop accepts one connection a turn, so long
   * turns without a rest would keep new connections waiting.
   */
  readonly rests?: boolean;
}

/** Waits for a turn of the event loop that no other waiting work gets. */
export type TakeTurn = (tenant: string) => Promise<void>;

const REST_MS_MIN = 1;

/**
 * One piece of work continues in each turn: of the tenant that has worked for the least time, the one that has waited the
 * longest. What it does up to its next wait is measured.
 */
export function createFairTurns({ elapsed, worked, rests = false }: FairTurnsOptions): TakeTurn {
  const waiting = new Map<string, (() => void)[]>();
  let given: { readonly tenant: string; readonly sinceMs: number } | null = null;
  const giveTurn = () => {
    const tenant = chooseTenant(waiting, worked);
    if (tenant === null) return;
    const line = waiting.get(tenant) ?? [];
    const resume = line.shift();
    // Set again, the tenant comes after others that have worked as long.
    waiting.delete(tenant);
    if (line.length > 0) waiting.set(tenant, line);
    worked.serve(tenant);
    given = { tenant, sinceMs: elapsed() };
    resume?.();
  };
  const endTurn = () => {
    const workedMs = given === null ? 0 : elapsed() - given.sinceMs;
    if (given !== null) worked.add(given.tenant, workedMs);
    given = null;
    if (waiting.size === 0) isScheduled = false;
    else if (rests && workedMs >= REST_MS_MIN) setTimeout(schedule, workedMs);
    else schedule();
  };
  let isScheduled = false;
  const schedule = () => {
    isScheduled = true;
    // Between the callbacks of one phase only microtasks run: the work that the turn was given to, and nothing else.
    setImmediate(giveTurn);
    setImmediate(endTurn);
  };
  return (tenant) =>
    new Promise((resolve) => {
      const line = waiting.get(tenant);
      if (line === undefined) waiting.set(tenant, [resolve]);
      else line.push(resolve);
      if (!isScheduled) schedule();
    });
}

/** The tenant that has worked the least; of several, the one that waits the longest. */
function chooseTenant(waiting: ReadonlyMap<string, unknown>, worked: WorkedTime): string | null {
  let chosen: string | null = null;
  let leastMs: number = Number.POSITIVE_INFINITY;
  for (const tenant of waiting.keys()) {
    const workedMs = worked.of(tenant);
    if (workedMs < leastMs) [chosen, leastMs] = [tenant, workedMs];
  }
  return chosen;
}
