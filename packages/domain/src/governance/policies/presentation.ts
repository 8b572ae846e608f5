import { type IdentityNames, showOwner } from '../../access/model/owner.ts';
import { mapSides, type SodPolicy, type SodPolicyItem, sidesOf } from './model.ts';

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

/** A policy as answers show it. */
export const showSodPolicy = (policy: SodPolicy, { entitlements, identities }: PolicyNames): SodPolicy => ({
  ...withItems(policy, ({ type, id, name }): ShownPolicyItem => {
    const known = entitlements.get(id);
    return known === undefined ? { type, id, name: name ?? null, deleted: true } : { type, id, name: known };
  }),
  ownerRef: showOwner(policy.ownerRef?.id ?? null, identities),
});

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
  created: policy.created,
  modified: policy.modified,
});
