import {
  type AccessRef,
  type Catalogue,
  type SodCriteria,
  type SodPolicy,
  type TwoSidedCriteria,
  UNSET_POLICY_FIELDS,
} from '@access-admin/domain';
import { createRandom, createZipf, drawDistinct } from './random.ts';

/** A request for access by one identity. */
export interface Question {
  readonly identity: number;
  readonly accessRefs: readonly AccessRef[];
}

/** A two-sided policy. */
export type WorldPolicy = SodPolicy & { readonly conflictingAccessCriteria: TwoSidedCriteria };

/** A tenant with policies and assignments distributed as in practice. */
export interface World {
  readonly catalogue: Catalogue;
  readonly policies: readonly WorldPolicy[];
  /** The held access by identity. */
  readonly held: readonly (readonly AccessRef[])[];
  readonly questions: readonly Question[];
}

export interface WorldSize {
  readonly seed: number;
  readonly entitlements: number;
  readonly policies: number;
  readonly identities: number;
  readonly questions: number;
  /** Number of assignments of each identity; drawn around a median of 80 when left out. */
  readonly assignments?: number;
}

/** Held entitlements and entitlements in policies have separate distributions: common access is seldom sensitive. */
export function createWorld(size: WorldSize): World {
  const random = createRandom(size.seed);
  const drawHeld = createZipf(random, size.entitlements, 1);
  const drawItem = createZipf(random, size.entitlements, 0.6);
  const refs = (numbers: readonly number[]): AccessRef[] =>
    numbers.map((number) => ({ type: 'ENTITLEMENT', id: entitlementId(number) }));
  const criteriaSize = () => random.logNormal({ median: 8, sigma: 0.7, min: 1, max: 50 });
  const entitlements = Array.from({ length: size.entitlements }, (_, number) => ({
    id: entitlementId(number),
    name: `Entitlement ${number}`,
    source: null,
  }));
  const policies = Array.from({ length: size.policies }, (_, number) => {
    const left = criteriaSize();
    const items = refs(drawDistinct(drawItem, left + criteriaSize()));
    return policyOf(number, items.slice(0, left), items.slice(left));
  });
  const held = Array.from({ length: size.identities }, () =>
    refs(drawDistinct(drawHeld, size.assignments ?? random.logNormal({ median: 80, sigma: 0.6, min: 20, max: 300 }))),
  );
  const questions = Array.from({ length: size.questions }, () => ({
    identity: random.below(size.identities),
    accessRefs: refs(drawDistinct(drawHeld, 1 + random.below(5))),
  }));
  return { catalogue: { entitlements, accessProfiles: [], roles: [] }, policies, held, questions };
}

export const identityId = (number: number) => `identity-${String(number).padStart(7, '0')}`;

const entitlementId = (number: number) => `entitlement-${String(number).padStart(6, '0')}`;

function policyOf(number: number, left: readonly AccessRef[], right: readonly AccessRef[]): WorldPolicy {
  const instant = '2026-01-01T00:00:00.000Z';
  return {
    id: `policy-${String(number).padStart(6, '0')}`,
    name: `Policy ${number}`,
    description: null,
    state: 'ENFORCED',
    level: 'HIGH',
    type: 'CONFLICTING_ACCESS_BASED',
    conflictingAccessCriteria: { leftCriteria: criteriaOf(left), rightCriteria: criteriaOf(right) },
    externalPolicyReference: null,
    compensatingControls: null,
    correctionAdvice: null,
    tags: [],
    ownerRef: null,
    ...UNSET_POLICY_FIELDS,
    creatorId: null,
    modifierId: null,
    created: instant,
    modified: instant,
  };
}

const criteriaOf = (items: readonly AccessRef[]): SodCriteria => ({
  name: null,
  criteriaList: items.map(({ id }) => ({ type: 'ENTITLEMENT', id })),
});
