import type { TimedAccessRef } from '../access-model/records.ts';
import { expandAccess } from '../evaluation/expand-access.ts';
import type { SodIndex } from '../rulebook/sod-index.ts';
import { type CoveredPolicies, coverViolations } from './covered-policies.ts';
import { type Explanation, explainViolations } from './explain-violations.ts';
import type { Remediation } from './remediation.ts';
import { predictViolations, type ViolationContext } from './violation-context.ts';

/** What both SOD operations are asked: would these access items, granted to this identity, break a policy? */
export interface IdentityWithNewAccess {
  readonly identityId: string;
  readonly accessRefs: readonly TimedAccessRef[];
  /** Kept and returned by the check. */
  readonly clientMetadata: Readonly<Record<string, string>> | null;
  /** The only moment that counts, ISO 8601 with an offset; every moment from now on where there is none. */
  readonly at?: string | null;
}

/** What answers have besides when it is asked for: the paths by which each item is held, and what to do without. */
export const SOD_INCLUDES = ['via', 'remediation'] as const;
export type SodInclude = (typeof SOD_INCLUDES)[number];

/** The states of a check: `PENDING` until a worker has stored its one result. */
export type SodCheckState = 'PENDING' | 'SUCCESS' | 'ERROR';

/** What an answer is based on. */
export interface Basis {
  /** The version of the rulebook. */
  readonly policySetVersion: number;
  /** The moment of the data: ISO 8601 in UTC with milliseconds. */
  readonly asOf: string;
}

/** The one result of a check. Without its basis where no data was looked at. */
export interface SodCheckResult extends Partial<Basis> {
  /** Why there is no verdict; null unless the state is `ERROR`. */
  readonly message: string | null;
  readonly clientMetadata: Readonly<Record<string, string>> | null;
  readonly violationContexts: readonly ViolationContext[];
  readonly violatedPolicies: readonly { readonly type: 'SOD_POLICY'; readonly id: string; readonly name: string }[];
  /** Where it was asked for. */
  readonly remediation?: Remediation;
}

/** An asynchronous verification as its reader sees it. */
export interface SodCheck {
  readonly requestId: string;
  /** ISO 8601 in UTC with milliseconds. */
  readonly created: string;
  readonly state: SodCheckState;
  readonly completed: string | null;
  readonly violationCheckResult: SodCheckResult | null;
}

/** How a check ended. */
export interface SodCheckConclusion {
  readonly state: 'SUCCESS' | 'ERROR';
  readonly result: SodCheckResult;
}

/** What a check is concluded on. */
export interface CheckBasis {
  readonly index: SodIndex;
  /** The identity's effective access in numbers of the index; null when there is no such identity. */
  readonly held: Uint32Array | null;
  readonly check: IdentityWithNewAccess;
}

/**
 * Concludes a check on the data of the moment: `SUCCESS` with what predict answers, or `ERROR` when access refs or the
 * identity (`held` null) are gone since the check was accepted. Windows of time do not count: see `concludeTemporalCheck`.
 */
export function concludeCheck({ index, held, check }: CheckBasis): SodCheckConclusion {
  const { entitlements, unknown } = expandAccess(index, check.accessRefs);
  if (unknown.length > 0) {
    const gone = unknown.map(({ type, id }) => `${type} ${id}`).join(', ');
    return concludeWithError(check, `Requested access does not exist any more: ${gone}.`);
  }
  if (held === null) return concludeWithError(check, `The identity ${check.identityId} does not exist any more.`);
  return concludeWith(check, predictViolations(index, held, entitlements));
}

/** The end of a check with these violations. */
export function concludeWith(
  { clientMetadata }: Pick<IdentityWithNewAccess, 'clientMetadata'>,
  violationContexts: readonly ViolationContext[],
): SodCheckConclusion {
  const violatedPolicies = violationContexts.map(({ policy: { type, id, name } }) => ({ type, id, name }));
  return { state: 'SUCCESS', result: { message: null, clientMetadata, violationContexts, violatedPolicies } };
}

/** The same conclusion with what explains its violations. */
export function explainConclusion({ state, result }: SodCheckConclusion, explanation: Explanation): SodCheckConclusion {
  return { state, result: { ...result, violationContexts: explainViolations(result.violationContexts, explanation) } };
}

/** The same conclusion with what covers its violations. */
export const coverConclusion = (
  { state, result }: SodCheckConclusion,
  covered: CoveredPolicies | null,
): SodCheckConclusion => ({
  state,
  result: { ...result, violationContexts: coverViolations(result.violationContexts, covered) },
});

/** The end of a check without a verdict: `message` says why, for the caller to read. */
export function concludeWithError(
  { clientMetadata }: Pick<IdentityWithNewAccess, 'clientMetadata'>,
  message: string,
): SodCheckConclusion {
  return { state: 'ERROR', result: { message, clientMetadata, violationContexts: [], violatedPolicies: [] } };
}
