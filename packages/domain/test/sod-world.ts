import { type AccessRef, type Catalogue, type SodPolicy, UNSET_POLICY_FIELDS } from '../src/index.ts';

/** A policy in short: the ids of its two sides and what differs from an enforced one. */
export function policyOf(
  id: string,
  sides: { readonly left: readonly string[]; readonly right: readonly string[] },
  rest: Partial<SodPolicy> = {},
): SodPolicy {
  const conflictingAccessCriteria = { leftCriteria: criteriaOf(sides.left), rightCriteria: criteriaOf(sides.right) };
  return { ...POLICY, id, name: `Policy ${id}`, conflictingAccessCriteria, ...rest };
}

/** A k-of-n policy in short: the ids of its sides, each written `name: id id` or without a name, and what differs. */
export function kOfNPolicyOf(
  id: string,
  { atLeast, sides }: { readonly atLeast: number; readonly sides: readonly string[] },
  rest: Partial<SodPolicy> = {},
): SodPolicy {
  const criteria = sides.map((side) => {
    const [ids = '', name] = side.split(': ').toReversed();
    return { ...criteriaOf(ids.split(' ')), name: name ?? null };
  });
  return { ...POLICY, id, name: `Policy ${id}`, conflictingAccessCriteria: { criteria, atLeast }, ...rest };
}

const criteriaOf = (ids: readonly string[]) => ({
  name: null,
  criteriaList: ids.map((item) => ({ type: 'ENTITLEMENT' as const, id: item, name: 'as the policy knew it' })),
});

const POLICY = {
  description: null,
  state: 'ENFORCED',
  level: 'HIGH',
  type: 'CONFLICTING_ACCESS_BASED',
  externalPolicyReference: null,
  compensatingControls: null,
  correctionAdvice: null,
  tags: [],
  ownerRef: null,
  ...UNSET_POLICY_FIELDS,
  creatorId: null,
  modifierId: null,
  created: '2026-01-01T00:00:00.000Z',
  modified: '2026-01-01T00:00:00.000Z',
} as const;

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
