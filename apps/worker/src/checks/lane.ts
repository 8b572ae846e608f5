import type { CheckOutcome } from '@access-admin/domain';
import { CHECK_WORK_MS_MAX } from '../claims/bounds.ts';
import type { Lane } from '../turns/turns.ts';
import { beginCheck, type HeldCheck, type LongRoom, type RunCheck, type Underway } from './underway.ts';

/** The checks of one tenant that the worker holds, concluded one after the other. */
export interface CheckLane extends Lane {
  /** Including the one under way. */
  readonly held: readonly HeldCheck[];
  /** Puts a check at the end, or first if it was claimed before. */
  add(check: HeldCheck): void;
  /** Forgets a check without an outcome. Returns whether it was under way: then its step may never end, and the lane must not be used any more. */
  drop(check: HeldCheck): boolean;
}

export interface CheckLaneDeps {
  readonly runCheck: RunCheck;
  onOutcome(check: HeldCheck, outcome: CheckOutcome): void;
  onFailure(check: HeldCheck, error: unknown): void;
  /** The check exceeded `CHECK_WORK_MS_MAX`. */
  onTooLong(check: HeldCheck): void;
  /** Counts work on a check, in milliseconds. */
  onWork(check: HeldCheck, ms: number): void;
}

/** Creates a lane. When there is no room for a long check, it is idle, and is to be added to the turns once there is. */
export function createCheckLane(tenant: string, deps: CheckLaneDeps, room: LongRoom): CheckLane {
  let waiting: HeldCheck[] = [];
  let current: Underway | null = null;
  /** The check of the last step. */
  let stepped: HeldCheck | null = null;

  const beginNext = () => {
    const [check] = waiting;
    if (check !== undefined) current = beginCheck(check, deps.runCheck, room);
    if (current !== null) waiting.shift();
  };
  const end = (underway: Underway) => {
    current = null;
    underway.end();
  };
  const proceed = async (underway: Underway) => {
    const { check } = underway;
    try {
      const outcome = await underway.next();
      if (current !== underway || outcome === null) return;
      end(underway);
      deps.onOutcome(check, outcome);
    } catch (error) {
      if (current !== underway) return;
      end(underway);
      deps.onFailure(check, error);
    }
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
      end(current);
      return true;
    },
    step: async () => {
      if (current === null) beginNext();
      if (current === null) return 'idle';
      const { check } = current;
      stepped = check;
      if (check.workMs > CHECK_WORK_MS_MAX) {
        end(current);
        deps.onTooLong(check);
      } else if (current.hasRoom()) await proceed(current);
      else {
        // It begins again once there is room, so that checks without room take no memory.
        end(current);
        waiting.unshift(check);
        return 'idle';
      }
      return current === null && waiting.length === 0 ? 'idle' : 'more';
    },
    charge: (ms) => {
      if (stepped !== null) deps.onWork(stepped, ms);
    },
  };
}
