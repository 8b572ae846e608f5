import { CHECK_WORK_MS_MAX } from '../claims/bounds.ts';
import type { Lane } from '../turns/turns.ts';
import {
  beginCheck,
  type CheckEnds,
  type HeldCheck,
  LONG_WORK_MS,
  type LongRoom,
  type RunCheck,
  type Underway,
} from './underway.ts';

/** The checks of one tenant that the worker holds, concluded one after the other. A check that is tried again interrupts the one under way. */
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
  const sequence = createSequence((check) => beginCheck(check, deps, room));
  /** The check of the last step. */
  let stepped: HeldCheck | null = null;
  let isClosed = false;

  const endStep = (underway: Underway, isLast: boolean): true => {
    if (isLast && sequence.current === underway) sequence.endCurrent();
    return true;
  };

  /** Does one step of a check; false when there is none, or no room for it. A promise only if the step is not done at once. */
  const stepOnce = (): boolean | Promise<boolean> => {
    const underway = sequence.proceed();
    if (underway === null) return false;
    const { check } = underway;
    stepped = check;
    if (check.workMs > CHECK_WORK_MS_MAX) {
      sequence.endCurrent();
      underway.abort();
      deps.onTooLong(check);
    } else if (sequence.mayGoOn(underway)) {
      const isLast = underway.next();
      return typeof isLast === 'boolean' ? endStep(underway, isLast) : isLast.then((last) => endStep(underway, last));
    } else {
      // It begins again once there is room, so that checks without room take no memory.
      sequence.endCurrent();
      underway.abort();
      sequence.addFirst(check);
      return sequence.current !== null;
    }
    return true;
  };

  return {
    tenant,
    get held() {
      return sequence.held();
    },
    add: (check) => (check.claim.attempts > 1 ? sequence.addFirst(check) : sequence.addLast(check)),
    drop: (check) => {
      isClosed = sequence.drop(check);
      return isClosed;
    },
    step: async () => {
      const endMs = deps.busyMs() + STEP_MS;
      // Short checks share a step, which costs as much as some of them.
      do {
        const isDone = stepOnce();
        if (!(typeof isDone === 'boolean' ? isDone : await isDone)) return 'idle';
      } while (sequence.current === null && sequence.isWaiting() && !isClosed && deps.busyMs() < endMs);
      return sequence.current === null && !sequence.isWaiting() ? 'idle' : 'more';
    },
    charge: (ms) => {
      if (stepped !== null) deps.onWork(stepped, ms);
    },
  };
}

/** The order of the checks of a lane. `begin` returns null when there is no room. */
function createSequence(begin: (check: HeldCheck) => Underway | null) {
  let waiting: HeldCheck[] = [];
  let current: Underway | null = null;
  /** The check that goes on after the current one. */
  let interrupted: Underway | null = null;

  const isToBegin = () => current === null || (interrupted === null && waiting[0] !== undefined && isTried(waiting[0]));
  const endCurrent = () => {
    [current, interrupted] = [interrupted, null];
  };
  return {
    get current() {
      return current;
    },
    isWaiting: () => waiting.length > 0,
    held: () => [...[current, interrupted].flatMap((underway) => underway?.check ?? []), ...waiting],
    addFirst: (check: HeldCheck) => void waiting.unshift(check),
    addLast: (check: HeldCheck) => void waiting.push(check),
    /** Begins the next check if it is its turn. Returns the current one. */
    proceed: (): Underway | null => {
      const begun = isToBegin() && waiting[0] !== undefined ? begin(waiting[0]) : null;
      if (begun === null) return current;
      waiting.shift();
      [current, interrupted] = [begun, current];
      return begun;
    },
    /** Whether there is room for the current check. One that interrupts another is put back once it is long, so that a tenant has one long check under way. */
    mayGoOn: (underway: Underway) => (interrupted === null ? underway.hasRoom() : !isLong(underway.check)),
    endCurrent,
    /** Returns whether the check was the current one. Then one that it has interrupted begins again later. */
    drop: (check: HeldCheck): boolean => {
      waiting = waiting.filter((each) => each !== check);
      const dropped = [current, interrupted].find((underway) => underway?.check === check);
      if (dropped === undefined || dropped === null) return false;
      const isCurrent = dropped === current;
      if (isCurrent && interrupted !== null) waiting.unshift(interrupted.check);
      interrupted?.abort();
      interrupted = null;
      if (isCurrent) endCurrent();
      dropped.abort();
      return isCurrent;
    },
  };
}

const isLong = (check: HeldCheck): boolean => check.isLong || check.workMs >= LONG_WORK_MS;

/** Whether a check was claimed before, and has not yet shown that it does not end the process. */
const isTried = (check: HeldCheck): boolean => check.claim.attempts > 1 && !isLong(check);
