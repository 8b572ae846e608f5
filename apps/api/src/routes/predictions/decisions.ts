import { type Basis, type IdentityWithNewAccess, policyIdAt, type SodIndex } from '@access-admin/domain';
import type { RequestContext } from '../../env.ts';
import { callerOf } from '../../http/caller.ts';

/** Logs the decision on one question: the numbers of all violated policies, and the data that they are based on. */
export type LogDecision = (
  policies: readonly number[],
  data: { readonly index: SodIndex; readonly basis: Basis },
) => void;

/** Null where decisions are not logged. */
export function decisionLogOf(c: RequestContext, request: IdentityWithNewAccess): LogDecision | null {
  const { decisions } = c.env.services;
  if (decisions === null) return null;
  const { tenant, clientId } = callerOf(c);
  const { trackingId } = c.env.state;
  return (policies, { index, basis }) => {
    const violatedPolicies = policies.map((policy) => policyIdAt(index, policy));
    decisions.write({ kind: 'prediction', tenant, clientId, request, violatedPolicies, basis, trackingId });
  };
}

/** What an answer does with its decision; an answer whose receiver leaves before it is found makes none. */
export const logging = (
  log: LogDecision | null,
  data: Parameters<LogDecision>[1],
): { readonly onFound?: (policies: readonly number[]) => void } =>
  log === null ? {} : { onFound: (policies) => log(policies, data) };
