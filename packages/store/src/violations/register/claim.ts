import type { RulebookVersion } from '../../rulebook/versions.ts';

/** A register that a worker may change until its lease ends, with the data that it has. */
export interface RegisterClaim extends RulebookVersion {
  readonly tenant: string;
  /** Since when there was something to do, in ISO 8601; null where that is not known. */
  readonly since: string | null;
  readonly fence: number;
  readonly identityRevision: number;
  /** Null before the first filling. */
  readonly asOf: string | null;
  /** When everything is to be compared. */
  readonly compareDue: string;
  /** Whether an earlier claim has left something to settle. */
  readonly isUnsettled: boolean;
}

/** A policy as the register knows it. */
export interface KnownPolicy {
  readonly policyId: string;
  readonly name: string;
  readonly levelRank: number;
  /** Equal for policies that the same access violates; empty for a policy that is not enforced. */
  readonly terms: string;
}

/** A register that is of a later instant than this was written by a clock that was ahead; workers' clocks differ by less. */
export const latestUsual = (nowMs: number): string => new Date(nowMs + 5_000).toISOString();
