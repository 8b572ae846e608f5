import { CHECK_WORK_MS_MAX } from '../claims/bounds.ts';
import type { Lane } from '../turns/turns.ts';
import { beginCheck, type CheckEnds, type HeldCheck, type LongRoom, type RunCheck, type Underway } from './underway.ts';

/** The checks of one tenant that the worker holds, concluded one after the other. */
export interface CheckLane extends Lane {
  /** Including the one under way. */
  readonly held: readonly HeldCheck[];
  /** Puts a check at the end, or first if it was claimed before. */
  add(check: HeldCheck): void;
  /** Forgets a check without an outcome. Returns whether it was under way: then its step may never end, and the lane must not be used any more. */
  drop(check: HeldCheck): boolean;
}

export interface CheckLaneDeps extends CheckEnds {
  readonly runCheck: RunCheck;
  /** The check exceeded `CHECK_WORK_MS_MAX`. */
  onTooLong(check: HeldCheck): void;
  /** The time in which the process has worked, in milliseconds. */
  busyMs(): number;
  /** Counts work on a check, in milliseconds. */
  onWork(check: HeldCheck, ms: number): void;
}

const STEP_MS = 1;

/** Creates a lane. When there is no room for a long check, it is idle, and is to be added to the turns once there is. */
export function createCheckLane(tenant: string, deps: CheckLaneDeps, room: LongRoom): CheckLane {
  let waiting: HeldCheck[] = [];
  let current: Underway | null = null;
  /** The check of the last step. */
  let stepped: HeldCheck | null = null;
  let isClosed = false;

  const beginNext = () => {
    const [check] = waiting;
    if (check !== undefined) current = beginCheck(check, deps, room);
    if (current !== null) waiting.shift();
  };
  const abort = (underway: Underway) => {
    current = null;
    underway.abort();
  };
  /** Does one step of a check; false when there is none, or no room for it. */
  const stepOnce = async (): Promise<boolean> => {
    if (current === null) beginNext();
    if (current === null) return false;
    const underway = current;
    const { check } = underway;
    stepped = check;
    if (check.workMs > CHECK_WORK_MS_MAX) {
      abort(underway);
      deps.onTooLong(check);
    } else if (underway.hasRoom()) {
      if ((await underway.next()) && current === underway) current = null;
    } else {
      // It begins again once there is room, so that checks without room take no memory.
      abort(underway);
      waiting.unshift(check);
      return false;
    }
    return true;
  };

  return {
    tenant,
    get held() {
      return current === null ? waiting : [current.check, ...waiting];
    },
    add: (check) => {
      waiting.splice(check.claim.attempts > 1 ? 0 : waiting.length, 0, check);
    },
    drop: (check) => {
      waiting = waiting.filter((each) => each !== check);
      if (current?.check !== check) return false;
      isClosed = true;
      abort(current);
      return true;
    },
    step: async () => {
      const endMs = deps.busyMs() + STEP_MS;
      // Short checks share a step, which costs as much as some of them.
      do if (!(await stepOnce())) return 'idle';
      while (current === null && waiting.length > 0 && !isClosed && deps.busyMs() < endMs);
      return current === null && waiting.length === 0 ? 'idle' : 'more';
    },
    charge: (ms) => {
      if (stepped !== null) deps.onWork(stepped, ms);
    },
  };
}
