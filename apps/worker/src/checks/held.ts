import type { CheckOutcome } from '@access-admin/domain';
import type { ClaimedCheck } from '@access-admin/store';
import type { Pause } from '../leased/pause.ts';
import type { Trial } from './trials.ts';

/** Finds the outcome of a check, with pauses; ends where a pause rejects. */
export type RunCheck = (claim: ClaimedCheck, pause: Pause) => Promise<CheckOutcome>;

/** A claimed check until its outcome is stored, or its claim has ended otherwise. */
export interface HeldCheck {
  readonly claim: ClaimedCheck;
  readonly claimedMs: number;
  /** Whether it is not concluded yet. */
  isOpen: boolean;
  /** Whether its result is stored with the next transaction or the one under way. */
  isBeingStored: boolean;
  /** Whether there is nothing left to do for it. */
  isEnded: boolean;
  readonly ended: Promise<void>;
  end(): void;
}

/** Checks of one tenant that were claimed together, or one that was claimed before and is tried alone. */
export interface CheckJob {
  readonly tenant: string;
  /** Null for new checks. */
  readonly trial: Trial | null;
  readonly checks: readonly HeldCheck[];
}

export function holdCheck(claim: ClaimedCheck, claimedMs: number): HeldCheck {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const check: HeldCheck = {
    claim,
    claimedMs,
    isOpen: true,
    isBeingStored: false,
    isEnded: false,
    ended,
    end: () => {
      check.isOpen = false;
      check.isEnded = true;
      resolve();
    },
  };
  return check;
}
