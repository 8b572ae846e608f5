import type { CheckOutcome } from '@access-admin/domain';
import type { ClaimedCheck } from '@access-admin/store';

/** Concludes a check in steps of about a millisecond. */
export type RunCheck = (claim: ClaimedCheck) => AsyncGenerator<undefined, CheckOutcome>;

/** A claim in memory. */
export interface HeldCheck {
  readonly claim: ClaimedCheck;
  readonly claimedMs: number;
  /** When its lease was renewed. */
  leasedMs: number;
  /** The work on it so far, in milliseconds. */
  workMs: number;
  /** Whether it needs room for a long check. */
  isLong: boolean;
}

/** Room for long checks, of which few are under way at the same time: each can hold its result and intermediate lists. */
export interface LongRoom {
  /** False when there is none. */
  take(): boolean;
  give(): void;
}

/** A check that has begun. */
export interface Underway {
  readonly check: HeldCheck;
  /** Does one step; null when there are more. */
  next(): Promise<CheckOutcome | null>;
  /** Takes room if the check has turned out to be long; false when there is none. */
  hasRoom(): boolean;
  /** Gives back its room and ends the work that is left, after the current step. */
  end(): void;
}

/** A check that takes more work, in milliseconds, is a long one. */
export const LONG_WORK_MS = 10;

/** Begins a check; null when it is long and there is no room. */
export function beginCheck(check: HeldCheck, runCheck: RunCheck, room: LongRoom): Underway | null {
  if (check.isLong && !room.take()) return null;
  let hasRoom = check.isLong;
  const steps = runCheck(check.claim);
  return {
    check,
    next: async () => {
      const step = await steps.next();
      return step.done === true ? step.value : null;
    },
    hasRoom: () => {
      check.isLong ||= check.workMs >= LONG_WORK_MS;
      if (check.isLong && !hasRoom) hasRoom = room.take();
      return hasRoom || !check.isLong;
    },
    end: () => {
      if (hasRoom) room.give();
      hasRoom = false;
      // Without effect on steps that have ended. Errors of a check without an outcome are of no interest.
      steps.return(undefined as never).catch(() => {});
    },
  };
}
