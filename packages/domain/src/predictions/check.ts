import type { TimedAccessRef } from '../access/model/records.ts';
import type { Remediation } from './remediation.ts';
import type { ViolatedPolicyRef, ViolationContext } from './violation-context.ts';

/** The question of both SOD operations: would these access items, granted to this identity, violate a policy? */
export interface IdentityWithNewAccess {
  readonly identityId: string;
  readonly accessRefs: readonly TimedAccessRef[];
  /** Kept and returned by the check. */
  readonly clientMetadata: Readonly<Record<string, string>> | null;
  /** The only instant that counts, ISO 8601 with an offset; every instant from now on where there is none. */
  readonly at?: string | null;
}

/** Optional parts of answers: the paths by which each item is held, the refs to do without, and what live reservations add. */
export const SOD_INCLUDES = ['via', 'remediation', 'pending'] as const;
export type SodInclude = (typeof SOD_INCLUDES)[number];

/** The states of a check: `PENDING` until a worker has stored its one result. */
export type SodCheckState = 'PENDING' | 'SUCCESS' | 'ERROR';

/** The data that an answer is based on. */
export interface Basis {
  /** The version of the rulebook. */
  readonly policySetVersion: number;
  /** The instant of the data: ISO 8601 in UTC with milliseconds. */
  readonly asOf: string;
}

/** The most violation contexts in a prediction without optional parts. */
export const PREDICTED_CONTEXTS_MAX = 10_000;

/** The most violation contexts in a prediction with optional parts. */
export const PREDICTED_EXPLAINED_MAX = 1_000;

/** The most bytes, as they are stored, of the roles and access profiles that explain one prediction or check. */
export const EXPLAINING_BUNDLES_BYTES_MAX = 8 * 2 ** 20;

/** The most bytes of the advice of policies that explains one prediction or check. */
export const EXPLAINING_ADVICE_BYTES_MAX = 16 * 2 ** 20;

/** The most violation contexts in the result of a check. */
export const CHECK_CONTEXTS_MAX = 10_000;

/** The most bytes of the result of a check, as JSON in UTF-8. */
export const CHECK_RESULT_BYTES_MAX = 16 * 2 ** 20;

/** The most violation contexts of a check in an event. */
export const EVENT_CONTEXTS_MAX = 100;

/** The result of a check. It has no basis if no data was read. */
export interface SodCheckResult extends Partial<Basis> {
  /** Why there is no verdict; null unless the state is `ERROR`. */
  readonly message: string | null;
  readonly clientMetadata: Readonly<Record<string, string>> | null;
  /** The first ones in order of policy ids: at most 10,000, and as many as a result of 16 MiB has room for. */
  readonly violationContexts: readonly ViolationContext[];
  /** All violated policies. */
  readonly violatedPolicies: readonly ViolatedPolicyRef[];
  /** The number of all contexts. */
  readonly violationCount: number;
  /** The number of contexts that `violationContexts` leaves out. */
  readonly omitted: number;
  /** Where it was asked for. */
  readonly remediation?: Remediation;
}

/** A check as answers show it. */
export interface SodCheck {
  readonly requestId: string;
  /** ISO 8601 in UTC with milliseconds. */
  readonly created: string;
  readonly state: SodCheckState;
  readonly completed: string | null;
  readonly violationCheckResult: SodCheckResult | null;
}
