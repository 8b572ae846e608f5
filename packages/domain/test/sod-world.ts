import type { AccessRef, Catalogue, SodPolicy } from '../src/index.ts';

/** A policy in short: the ids of its two sides and what differs from an enforced one. */
export function policyOf(
  id: string,
  sides: { readonly left: readonly string[]; readonly right: readonly string[] },
  rest: Partial<SodPolicy> = {},
): SodPolicy {
  const criteriaOf = (ids: readonly string[]) => ({
    name: null,
    criteriaList: ids.map((item) => ({ type: 'ENTITLEMENT' as const, id: item, name: 'as the policy knew it' })),
  });
  return {
    id,
    name: `Policy ${id}`,
    description: null,
    state: 'ENFORCED',
    level: 'HIGH',
    type: 'CONFLICTING_ACCESS_BASED',
    conflictingAccessCriteria: { leftCriteria: criteriaOf(sides.left), rightCriteria: criteriaOf(sides.right) },
    externalPolicyReference: null,
    compensatingControls: null,
    correctionAdvice: null,
    tags: [],
    created: '2026-01-01T00:00:00.000Z',
    modified: '2026-01-01T00:00:00.000Z',
    ...rest,
  };
}

/** A catalogue in short: ids, and what bundles hold by their ids. */
export function catalogueOf(bundles: {
  readonly entitlements: readonly string[];
  readonly accessProfiles?: Readonly<Record<string, readonly string[]>>;
  readonly roles?: Readonly<Record<string, { accessProfiles?: readonly string[]; entitlements?: readonly string[] }>>;
}): Catalogue {
  return {
    entitlements: bundles.entitlements.map((id) => ({ id, name: `The ${id}`, source: null })),
    accessProfiles: Object.entries(bundles.accessProfiles ?? {}).map(([id, entitlements]) => ({
      id,
      name: id,
      entitlements,
    })),
    roles: Object.entries(bundles.roles ?? {}).map(([id, { accessProfiles = [], entitlements = [] }]) => ({
      id,
      name: id,
      accessProfiles,
      entitlements,
    })),
  };
}

export const entitlement = (id: string): AccessRef => ({ type: 'ENTITLEMENT', id });
export const accessProfile = (id: string): AccessRef => ({ type: 'ACCESS_PROFILE', id });
export const role = (id: string): AccessRef => ({ type: 'ROLE', id });
