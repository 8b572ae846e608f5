import { type IdentityNames, showOwner } from '../access/model/owner.ts';
import {
  atLeastOf,
  type ConflictingAccessCriteria,
  mapSides,
  type SodPolicy,
  type SodPolicyItem,
  sidesOf,
} from './model.ts';

/** An item as answers show it: with the current name of the catalogue, and with `deleted` when the catalogue lacks it. */
export interface ShownPolicyItem {
  readonly type: 'ENTITLEMENT';
  readonly id: string;
  readonly name: string | null;
  readonly deleted?: true;
}

/** The current names of entitlements by id; entitlements that the catalogue lacks have no entry. */
export type EntitlementNames = ReadonlyMap<string, string>;

/** The present names of what a policy refers to. */
export interface PolicyNames {
  readonly entitlements: EntitlementNames;
  readonly identities: IdentityNames;
}

/** The records referenced by a policy that exist. */
export interface PolicyReferences extends PolicyNames {
  /** The ids of controls. */
  readonly controls: ReadonlySet<string>;
}

/** The properties that answers leave out where a policy has none: clients of SailPoint take a null of them for a value. */
const LEFT_OUT = ['ownerRef', 'violationOwnerAssignmentConfig', 'secondaryOwnerRefs', 'allowedControls'] as const;
type LeftOut = (typeof LEFT_OUT)[number];

/** A policy as answers show it. */
export interface ShownSodPolicy
  extends Omit<SodPolicy, LeftOut>,
    Readonly<{ [K in LeftOut]?: NonNullable<SodPolicy[K]> }> {
  /** The criteria as a query of SailPoint; null where that language has no words for them. */
  readonly policyQuery: string | null;
}

/** A policy as answers show it. */
export function showSodPolicy(policy: SodPolicy, { entitlements, identities }: PolicyNames): ShownSodPolicy {
  const named = withItems(policy, ({ type, id, name }): ShownPolicyItem => {
    const known = entitlements.get(id);
    return known === undefined ? { type, id, name: name ?? null, deleted: true } : { type, id, name: known };
  });
  const shown = {
    ...named,
    ownerRef: showOwner(policy.ownerRef?.id ?? null, identities),
    policyQuery: queryOf(policy.conflictingAccessCriteria),
  };
  const isLeftOut = (name: string) => LEFT_OUT.some((each) => each === name && shown[each] === null);
  // biome-ignore lint/plugin/type-assertion: Entries have no types of their own; those without the left-out ones are the policy.
  return Object.fromEntries(Object.entries(shown).filter(([name]) => !isLeftOut(name))) as object as ShownSodPolicy;
}

/** A shown policy with null for what it leaves out. */
export const completeShown = (shown: ShownSodPolicy): SodPolicy => ({
  ...shown,
  ownerRef: shown.ownerRef ?? null,
  violationOwnerAssignmentConfig: shown.violationOwnerAssignmentConfig ?? null,
  secondaryOwnerRefs: shown.secondaryOwnerRefs ?? null,
  allowedControls: shown.allowedControls ?? null,
});

/** Such as `@access(id:a OR id:b) AND @access(id:c)`. */
function queryOf(criteria: ConflictingAccessCriteria): string | null {
  const sides = sidesOf(criteria);
  if (atLeastOf(criteria) !== sides.length) return null;
  return sides
    .map(({ criteriaList }) => `@access(${criteriaList.map(({ id }) => `id:${id}`).join(' OR ')})`)
    .join(' AND ');
}

/** A policy as it is stored: an item that `before` has keeps its stored name, so that it does not change; others have their current names. */
export function nameItems(
  policy: SodPolicy,
  { names, before }: { readonly names: EntitlementNames; readonly before: SodPolicy | null },
): SodPolicy {
  const had = new Map<string, string | null>(
    before === null
      ? []
      : sidesOf(before.conflictingAccessCriteria).flatMap(({ criteriaList }) =>
          criteriaList.map(({ id, name }) => [id, name ?? null] as const),
        ),
  );
  return withItems(policy, ({ type, id }) => ({
    type,
    id,
    name: had.has(id) ? (had.get(id) ?? null) : (names.get(id) ?? null),
  }));
}

// The order of the properties is the same for every policy.
const withItems = (policy: SodPolicy, change: (item: SodPolicyItem) => SodPolicyItem): SodPolicy => ({
  id: policy.id,
  name: policy.name,
  description: policy.description,
  state: policy.state,
  level: policy.level,
  type: policy.type,
  conflictingAccessCriteria: mapSides(policy.conflictingAccessCriteria, ({ name, criteriaList }) => ({
    name,
    criteriaList: criteriaList.map(change),
  })),
  externalPolicyReference: policy.externalPolicyReference,
  compensatingControls: policy.compensatingControls,
  correctionAdvice: policy.correctionAdvice,
  tags: policy.tags,
  // The stored form has no name: it would be outdated when the identity is renamed.
  ownerRef: policy.ownerRef && { ...policy.ownerRef, name: null },
  attributes: policy.attributes,
  externalId: policy.externalId,
  scheduled: policy.scheduled,
  violationOwnerAssignmentConfig: policy.violationOwnerAssignmentConfig,
  secondaryOwnerRefs: policy.secondaryOwnerRefs,
  allowedControls: policy.allowedControls,
  creatorId: policy.creatorId,
  modifierId: policy.modifierId,
  created: policy.created,
  modified: policy.modified,
});
