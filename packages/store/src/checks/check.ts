import type { SodCheckResult, SodInclude, TimedAccessRef } from '@access-admin/domain';

/** A check to be stored. */
export interface NewCheck {
  readonly tenant: string;
  readonly requestId: string;
  /** ISO 8601 in UTC with milliseconds. */
  readonly created: string;
  readonly identityId: string;
  readonly accessRefs: readonly TimedAccessRef[];
  /** The instant to evaluate; every instant from the evaluation on if left out. */
  readonly at?: string | null;
  readonly clientMetadata: Readonly<Record<string, string>> | null;
  /** The optional parts of the result; none if left out. */
  readonly includes?: readonly SodInclude[];
}

/** A check that a worker may work on until its lease ends. */
export interface ClaimedCheck extends NewCheck {
  /** The fencing token: only the latest claim of a check can complete it. */
  readonly fence: number;
  /** How often the check has been claimed, including this claim. */
  readonly attempts: number;
  readonly includes: readonly SodInclude[];
}

/** The outcome of one claim. */
export interface CheckCompletion {
  readonly tenant: string;
  readonly requestId: string;
  readonly fence: number;
  readonly state: 'SUCCESS' | 'ERROR';
  /** ISO 8601 in UTC with milliseconds. */
  readonly completed: string;
  readonly result: SodCheckResult;
}
