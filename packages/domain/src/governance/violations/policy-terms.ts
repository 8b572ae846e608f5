import { atLeastOf, type SodPolicy, sidesOf } from '../../policies/model.ts';

/**
 * What decides which access violates a policy, as text: its items by side. Two policies with equal terms have the same
 * violations; names do not count. Empty for a policy that is not enforced.
 */
export function policyTermsOf({
  state,
  conflictingAccessCriteria: criteria,
}: Pick<SodPolicy, 'state' | 'conflictingAccessCriteria'>): string {
  if (state !== 'ENFORCED') return '';
  const sides = sidesOf(criteria).map(({ criteriaList }) => criteriaList.map(({ id }) => id).toSorted());
  return JSON.stringify([atLeastOf(criteria), sides]);
}
