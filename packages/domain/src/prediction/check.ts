import type { TimedAccessRef } from '../access-model/records.ts';
import { expandAccess } from '../evaluation/expand-access.ts';
import type { Holder } from '../evaluation/question.ts';
import type { SodIndex } from '../rulebook/sod-index.ts';
import { coverViolations, type ExceptionCoverage } from './covered-policies.ts';
import type { Explanation } from './explain-violations.ts';
import { predict } from './predict.ts';
import type { Remediation } from './remediation.ts';
import type { ViolationContext } from './violation-context.ts';

/** The question of both SOD operations: would these access items, granted to this identity, violate a policy? */
export interface IdentityWithNewAccess {
  readonly identityId: string;
  readonly accessRefs: readonly TimedAccessRef[];
  /** Kept and returned by the check. */
  readonly clientMetadata: Readonly<Record<string, string>> | null;
  /** The only instant that counts, ISO 8601 with an offset; every instant from now on where there is none. */
  readonly at?: string | null;
}

/** Optional parts of answers: the paths by which each item is held, and the refs to do without. */
export const SOD_INCLUDES = ['via', 'remediation'] as const;
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

/** The result of a check. It has no basis if no data was read. */
export interface SodCheckResult extends Partial<Basis> {
  /** Why there is no verdict; null unless the state is `ERROR`. */
  readonly message: string | null;
  readonly clientMetadata: Readonly<Record<string, string>> | null;
  readonly violationContexts: readonly ViolationContext[];
  readonly violatedPolicies: readonly { readonly type: 'SOD_POLICY'; readonly id: string; readonly name: string }[];
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

/** How a check ended. */
export interface SodCheckConclusion {
  readonly state: 'SUCCESS' | 'ERROR';
  readonly result: SodCheckResult;
}

/** The data that a check is concluded on. */
export interface CheckBasis extends Holder {
  readonly index: SodIndex;
  readonly check: IdentityWithNewAccess;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
}

/** How a check ended, and the same with the reasons for its violations. */
export interface ConcludedCheck {
  readonly conclusion: SodCheckConclusion;
  explain(explanation: Explanation): SodCheckConclusion;
}

/**
 * Concludes a check: `SUCCESS` with the violations of a prediction, or `ERROR` when access refs or the identity (`held`
 * null) have been deleted since the check was accepted.
 */
export function concludeCheck({ index, held, timed, check, nowMs }: CheckBasis): ConcludedCheck {
  const { identityId, accessRefs, at } = check;
  const prediction = predict(index, { held, timed }, { accessRefs, at, nowMs });
  if (!prediction.ok) {
    const refs = expandAccess(index, accessRefs).unresolved.map(({ type, id }) => `${type} ${id}`);
    const missing = refs.length > 0 ? `Requested access does not exist` : `The identity ${identityId} does not exist`;
    const conclusion = concludeWithError(check, `${missing} any more${refs.length > 0 ? `: ${refs.join(', ')}` : ''}.`);
    return { conclusion, explain: () => conclusion };
  }
  const { violationContexts, explain } = prediction.value;
  return {
    conclusion: concludeWith(check, violationContexts),
    explain: (explanation) => concludeWith(check, explain(explanation)),
  };
}

function concludeWith(
  { clientMetadata }: IdentityWithNewAccess,
  violationContexts: readonly ViolationContext[],
): SodCheckConclusion {
  const violatedPolicies = violationContexts.map(({ policy: { type, id, name } }) => ({ type, id, name }));
  return { state: 'SUCCESS', result: { message: null, clientMetadata, violationContexts, violatedPolicies } };
}

/** The same conclusion with the exceptions that cover its violations. */
export const coverConclusion = (
  { state, result }: SodCheckConclusion,
  coverage: ExceptionCoverage | null,
): SodCheckConclusion => ({
  state,
  result: { ...result, violationContexts: coverViolations(result.violationContexts, coverage) },
});

/** Concludes a check without a verdict; `message` gives the caller the reason. */
export function concludeWithError(
  { clientMetadata }: Pick<IdentityWithNewAccess, 'clientMetadata'>,
  message: string,
): SodCheckConclusion {
  return { state: 'ERROR', result: { message, clientMetadata, violationContexts: [], violatedPolicies: [] } };
}
