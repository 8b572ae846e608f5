import type { CheckOutcome } from '@access-admin/domain';
import type { ClaimedCheck } from '@access-admin/store';

/** Concludes a check, at once or in steps of about a millisecond. */
export type RunCheck = (claim: ClaimedCheck) => CheckOutcome | AsyncGenerator<undefined, CheckOutcome>;

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

/** A place for a long check. `brief` is left to others once its check has worked for `BRIEF_WORK_MS`. */
export type Place = 'lasting' | 'brief';

/** Places for long checks, of which few are under way at the same time: each can hold its result and intermediate lists. */
export interface LongRoom {
  /** Null when there is none. */
  take(check: HeldCheck): Place | null;
  give(place: Place): void;
  /** Whether others wait for a brief place. */
  isBriefWanted(): boolean;
}

/** Where a check ends. */
export interface CheckEnds {
  onOutcome(check: HeldCheck, outcome: CheckOutcome): void;
  onFailure(check: HeldCheck, error: unknown): void;
}

/** A check that has begun. */
export interface Underway {
  readonly check: HeldCheck;
  /** Does one step; true when it was the last. The answer is a promise only if the step is not done at once. */
  next(): boolean | Promise<boolean>;
  /** Takes room if the check has turned out to be long; false when there is none. */
  hasRoom(): boolean;
  /** Ends the steps that are left, after the current one, without an outcome. */
  abort(): void;
}

/** A check that takes more work, in milliseconds, is a long one. */
export const LONG_WORK_MS = 10;
/** A check that takes more work, in milliseconds, needs a lasting place. */
export const BRIEF_WORK_MS = 250;

/** Begins a check; null when it is long and there is no room. */
export function beginCheck(
  check: HeldCheck,
  { runCheck, onOutcome, onFailure }: CheckEnds & { readonly runCheck: RunCheck },
  room: LongRoom,
): Underway | null {
  let [place, isAborted] = [check.isLong ? room.take(check) : null, false];
  if (check.isLong && place === null) return null;
  let steps: AsyncGenerator<undefined, CheckOutcome> | null = null;
  const giveRoom = () => {
    if (place !== null) room.give(place);
    place = null;
  };
  /** Whether the check may keep its place. It takes a lasting one instead when it can. */
  const keepsPlace = (): boolean => {
    if (place !== 'brief' || check.workMs < BRIEF_WORK_MS) return true;
    const lasting = room.take(check);
    if (lasting === null && !room.isBriefWanted()) return true;
    giveRoom();
    // Without a lasting place it waits for one from now on: what was given wakes only those that waited before.
    place = lasting ?? room.take(check);
    return place !== null;
  };
  const end = (outcome: CheckOutcome): true => {
    giveRoom();
    onOutcome(check, outcome);
    return true;
  };
  const endFailed = (error: unknown): true => {
    giveRoom();
    if (!isAborted) onFailure(check, error);
    return true;
  };
  const goOn = async (going: AsyncGenerator<undefined, CheckOutcome>): Promise<boolean> => {
    try {
      const step = await going.next();
      return isAborted || (step.done === true && end(step.value));
    } catch (error) {
      return endFailed(error);
    }
  };
  return {
    check,
    next: () => {
      try {
        if (steps !== null) return goOn(steps);
        const run = runCheck(check.claim);
        if ('state' in run) return end(run);
        steps = run;
        return goOn(run);
      } catch (error) {
        return endFailed(error);
      }
    },
    hasRoom: () => {
      check.isLong ||= check.workMs >= LONG_WORK_MS;
      if (!check.isLong) return true;
      place ??= room.take(check);
      return place !== null && keepsPlace();
    },
    abort: () => {
      isAborted = true;
      giveRoom();
      // Errors of a check without an outcome are of no interest.
      steps?.return(undefined as never).catch(() => {});
    },
  };
}
