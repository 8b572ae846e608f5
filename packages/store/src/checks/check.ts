import type { SodCheckState, SodInclude, TimedAccessRef } from '@access-admin/domain';
import type { RequestOrigin } from '../query/origin.ts';

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
  /** Left out where no request has made it. */
  readonly origin?: RequestOrigin | null;
}

/** A check that a worker may work on until its lease ends. */
export interface ClaimedCheck extends NewCheck {
  /** The fencing token: only the latest claim of a check can complete it. */
  readonly fence: number;
  /** How often the check has been claimed, including this claim. */
  readonly attempts: number;
  readonly includes: readonly SodInclude[];
  readonly origin: RequestOrigin | null;
}

/** The outcome of one claim. */
export interface CheckCompletion {
  readonly tenant: string;
  readonly requestId: string;
  /** When the check was accepted. */
  readonly created: string;
  readonly fence: number;
  readonly state: 'SUCCESS' | 'ERROR';
  /** ISO 8601 in UTC with milliseconds. */
  readonly completed: string;
  /** A `SodCheckResult` as JSON text. */
  readonly result: string;
  /** The result as the event of the check shows it; left out where that is the result itself. */
  readonly eventResult?: string;
}

/** The bytes up to which a result is read together with its check. */
export const SMALL_RESULT_BYTES = 65_536;

/** A check as it is stored. */
export interface StoredCheck {
  readonly requestId: string;
  readonly created: string;
  readonly state: SodCheckState;
  readonly completed: string | null;
  /** The bytes of the result in UTF-8; 0 while there is none. */
  readonly resultBytes: number;
  /** A `SodCheckResult` as JSON text; null while there is none, and where it is larger than `SMALL_RESULT_BYTES`. */
  readonly result: string | null;
}
