import { createTimeShares, type TimeShares } from './time-shares.ts';

/** The checks of one tenant, which go on in steps of about a millisecond. */
export interface Lane {
  readonly tenant: string;
  /** Does one step; never rejects. `idle` when there is nothing to do until the lane is added again. */
  step(): Promise<'more' | 'idle'>;
  /** Is told after each step how long it took, in milliseconds. */
  charge(ms: number): void;
}

/** Runs the lanes of all tenants, each tenant for an equal share of the time. */
export interface Turns {
  /** The lane has work; does nothing if it is known. */
  add(lane: Lane): void;
  /** Forgets a lane. */
  remove(lane: Lane): void;
  /** Runs one slice of the tenant whose turn it is; false when no lane can go on now. */
  runSlice(): Promise<boolean>;
  /** Counts work that is done for a tenant outside its lanes, in milliseconds. */
  charge(tenant: string, ms: number): void;
  /** Waits. Work of waiting lanes that is done in the meantime counts as theirs. */
  pause(wait: () => Promise<void>): Promise<void>;
  /** Whether work of another tenant went on lately. */
  isShared(tenant: string): boolean;
  /** Whether lanes wait for something, such as the database. */
  isWaiting(): boolean;
}

export interface TurnsDeps {
  /** The time in which the process has worked, in milliseconds. Time in which it has nothing to do does not count. */
  busyMs(): number;
  /** Resolves after one turn of the event loop. */
  nextTick(): Promise<void>;
  /** Is called when a lane that has waited can go on, or is done. */
  onProgress(): void;
}

/** After this time in milliseconds, the turn of a tenant is over at the end of the current step. Small work with several reads waits about so long for each. */
export const SLICE_MS = 5;

/** Work of a tenant is late once the process has worked for so long since, in milliseconds. */
const LATELY_MS = 250;

/** The lanes that can go on. */
interface ReadyLanes {
  /** The lane whose turn it is. */
  next(): Lane | null;
  enter(lane: Lane): void;
  leave(lane: Lane): void;
}

function createReadyLanes(shares: TimeShares): ReadyLanes {
  /** Of each tenant, in order of their turns. */
  const lanesOf = new Map<string, readonly Lane[]>();
  return {
    next: () => {
      const tenant = shares.next();
      return (tenant === null ? null : lanesOf.get(tenant)?.[0]) ?? null;
    },
    enter: (lane) => {
      const lanes = lanesOf.get(lane.tenant) ?? [];
      if (!lanes.includes(lane)) lanesOf.set(lane.tenant, [...lanes, lane]);
      shares.enter(lane.tenant);
    },
    leave: (lane) => {
      const lanes = lanesOf.get(lane.tenant)?.filter((each) => each !== lane) ?? [];
      lanesOf.set(lane.tenant, lanes);
      if (lanes.length > 0) return;
      lanesOf.delete(lane.tenant);
      shares.leave(lane.tenant);
    },
  };
}

export function createTurns({ busyMs, nextTick, onProgress }: TurnsDeps): Turns {
  const shares = createTimeShares();
  const { next, enter, leave } = createReadyLanes(shares);
  /** Lanes whose step has not ended: the one that runs, and those that wait for something. */
  const waiting = new Set<Lane>();
  /** Lanes that were added in the meantime. */
  const addedAgain = new Set<Lane>();

  /** When the last two tenants that have worked did, the latest first. */
  let worked: readonly { readonly tenant: string; readonly atMs: number }[] = [];
  const note = (tenant: string) => {
    const before = worked.find((one) => one.tenant !== tenant);
    worked = [{ tenant, atMs: busyMs() }, ...(before === undefined ? [] : [before])];
  };
  const charge = (lane: Lane, ms: number) => {
    lane.charge(ms);
    shares.charge(lane.tenant, ms);
  };
  const settle = (lane: Lane, outcome: 'more' | 'idle') => {
    if (waiting.delete(lane) && (addedAgain.delete(lane) || outcome === 'more')) enter(lane);
  };

  const runSlice = async (): Promise<boolean> => {
    const lane = next();
    if (lane === null) return false;
    waiting.add(lane);
    note(lane.tenant);
    const endMs = busyMs() + SLICE_MS;
    // One for all steps: the event loop turns only when a step waits for it.
    const tick = nextTick();
    for (let startMs = endMs - SLICE_MS; ; ) {
      const step = lane.step();
      const outcome = await Promise.race([step, tick]);
      const nowMs = busyMs();
      charge(lane, nowMs - startMs);
      startMs = nowMs;
      if (outcome === 'more' && nowMs < endMs) continue;
      leave(lane);
      if (outcome === undefined) void step.then((later) => settle(lane, later)).then(onProgress);
      else settle(lane, outcome);
      return true;
    }
  };

  return {
    add: (lane) => void (waiting.has(lane) ? addedAgain.add(lane) : enter(lane)),
    remove: (lane) => {
      waiting.delete(lane);
      addedAgain.delete(lane);
      leave(lane);
    },
    runSlice,
    charge: shares.charge,
    pause: async (wait) => {
      const startMs = busyMs();
      // Also those that can go on in the meantime have worked.
      const lanes = [...waiting];
      await wait();
      const ms = busyMs() - startMs;
      if (ms > 0) for (const lane of lanes) charge(lane, ms / lanes.length);
    },
    isShared: (tenant) => {
      const other = worked.find((one) => one.tenant !== tenant);
      return other !== undefined && busyMs() - other.atMs < LATELY_MS;
    },
    isWaiting: () => waiting.size > 0,
  };
}
