import type { Basis, CheckOutcome } from '@access-admin/domain';
import type { ClaimedCheck } from '@access-admin/store';
import type { JobOutcome } from '@access-admin/telemetry';

/** The outcome of a check, and what it has decided. */
export interface CheckConclusion extends CheckOutcome {
  /** The ids of all violated policies, and the data that they are based on; null without a verdict. */
  readonly verdict: { readonly violatedPolicies: readonly string[]; readonly basis: Basis } | null;
}

/** A claimed check until its result is stored, or its claim has ended otherwise. */
export interface HeldCheck {
  readonly claim: ClaimedCheck;
  readonly claimedMs: number;
  /** The work on it so far, in milliseconds. */
  workedMs: number;
  isEnded: boolean;
  end(outcome: JobOutcome): void;
}

/** Checks of one tenant that were claimed together. */
export interface CheckJob {
  readonly tenant: string;
  readonly checks: readonly HeldCheck[];
}

/** `onEnd` is called once. */
export function holdCheck(
  claim: ClaimedCheck,
  claimedMs: number,
  onEnd: (check: HeldCheck, outcome: JobOutcome) => void,
): HeldCheck {
  const check: HeldCheck = {
    claim,
    claimedMs,
    workedMs: 0,
    isEnded: false,
    end: (outcome) => {
      if (check.isEnded) return;
      check.isEnded = true;
      onEnd(check, outcome);
    },
  };
  return check;
}
