import { mapSides, type SodPolicy, type SodPolicyItem, sidesOf } from './model.ts';

/** An item as answers show it: under the name that the catalogue has today, and with `deleted` once it is not in the catalogue any more. */
export interface ShownPolicyItem {
  readonly type: 'ENTITLEMENT';
  readonly id: string;
  readonly name: string | null;
  readonly deleted?: true;
}

/** The names that the catalogue has for entitlements today, by id; without those that it lacks. */
export type EntitlementNames = ReadonlyMap<string, string>;

/** A policy as answers show it. */
export const showSodPolicy = (policy: SodPolicy, names: EntitlementNames): SodPolicy =>
  withItems(policy, ({ type, id, name }): ShownPolicyItem => {
    const known = names.get(id);
    return known === undefined ? { type, id, name: name ?? null, deleted: true } : { type, id, name: known };
  });

/** A policy as it is kept: its items bear the names of today or, where the catalogue lacks them, those that they had before. */
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
  return withItems(policy, ({ type, id }) => ({ type, id, name: names.get(id) ?? had.get(id) ?? null }));
}

// In one order, whoever made the policy.
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
  created: policy.created,
  modified: policy.modified,
});
