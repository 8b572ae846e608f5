import type { Basis, CheckOutcome } from '@access-admin/domain';
import type { ClaimedCheck } from '@access-admin/store';
import type { JobOutcome } from '@access-admin/telemetry';
import type { Pause } from '../leased/pause.ts';
import type { Trial } from './trials.ts';

/** The outcome of a check, and what it has decided. */
export interface CheckConclusion extends CheckOutcome {
  /** The ids of all violated policies, and the data that they are based on; null without a verdict. */
  readonly verdict: { readonly violatedPolicies: readonly string[]; readonly basis: Basis } | null;
}

/** Finds the outcome of a check, with pauses; ends where a pause rejects. */
export type RunCheck = (claim: ClaimedCheck, pause: Pause) => Promise<CheckConclusion>;

/** A claimed check until its outcome is stored, or its claim has ended otherwise. */
export interface HeldCheck {
  readonly claim: ClaimedCheck;
  readonly claimedMs: number;
  /** The work on it so far, in milliseconds. */
  workedMs: number;
  /** Whether it is not concluded yet. */
  isOpen: boolean;
  /** Whether its result is stored with the next transaction or the one under way. */
  isBeingStored: boolean;
  /** Whether there is nothing left to do for it. */
  isEnded: boolean;
  readonly ended: Promise<void>;
  end(outcome: JobOutcome): void;
}

/** Is called once for each check. */
export type OnCheckEnd = (check: HeldCheck, outcome: JobOutcome) => void;

/** Checks of one tenant that were claimed together, or one that was claimed before and is tried alone. */
export interface CheckJob {
  readonly tenant: string;
  /** Null for new checks. */
  readonly trial: Trial | null;
  readonly checks: readonly HeldCheck[];
}

export function holdCheck(claim: ClaimedCheck, claimedMs: number, onEnd: OnCheckEnd = () => {}): HeldCheck {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const check: HeldCheck = {
    claim,
    claimedMs,
    workedMs: 0,
    isOpen: true,
    isBeingStored: false,
    isEnded: false,
    ended,
    end: (outcome) => {
      if (check.isEnded) return;
      check.isOpen = false;
      check.isEnded = true;
      onEnd(check, outcome);
      resolve();
    },
  };
  return check;
}
