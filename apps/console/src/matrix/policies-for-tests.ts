import type { SodPolicy } from '@access-admin/client';

/** A policy with these sides, each as the ids of its items. */
export function policyOf(
  id: string,
  sides: readonly (readonly string[])[],
  { names = [], ...given }: Partial<SodPolicy> & { readonly names?: readonly (string | null)[] } = {},
): SodPolicy {
  const criteria = sides.map((ids, at) => ({
    name: names[at] ?? null,
    criteriaList: ids.map((item) => ({ type: 'ENTITLEMENT' as const, id: item, name: item })),
  }));
  const [leftCriteria, rightCriteria] = criteria;
  return {
    id,
    name: `Policy ${id}`,
    description: null,
    state: 'ENFORCED',
    level: 'HIGH',
    type: 'CONFLICTING_ACCESS_BASED',
    conflictingAccessCriteria:
      leftCriteria !== undefined && rightCriteria !== undefined && criteria.length === 2
        ? { leftCriteria, rightCriteria }
        : { criteria, atLeast: sides.length },
    externalPolicyReference: null,
    compensatingControls: null,
    correctionAdvice: null,
    tags: [],
    attributes: {},
    externalId: null,
    scheduled: false,
    policyQuery: null,
    creatorId: null,
    modifierId: null,
    created: '2026-11-21T09:30:00.000Z',
    modified: '2026-11-21T09:30:00.000Z',
    ...given,
  };
}

/** The open violations of a policy, as the counts of the register have them. */
export const countOf = (id: string, open: number) => ({
  policy: { type: 'SOD_POLICY' as const, id, name: id },
  open,
  mitigated: 0,
  oldest: null,
});
