import { admitPatch, applyPatch } from './apply-patch.ts';
import type { Failure } from './failure.ts';
import { type Fault, failureOf } from './fault.ts';
import { type Patch, parsePatch } from './json-patch.ts';
import type { JsonPointer } from './json-pointer.ts';
import type { Result } from './result.ts';
import {
  type ConflictingAccessCriteria,
  isKOfN,
  type SodCriteria,
  type SodPolicy,
  type SodPolicyItem,
} from './sod-policy.ts';

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
  withItems(
    policy,
    (item): ShownPolicyItem =>
      names.has(item.id) ? nameItem(item, names) : { ...nameItem(item, names), deleted: true },
  );

/** A policy as it is kept: its items bear the names of today, for the day on which the catalogue lacks them. */
export const nameItems = (policy: SodPolicy, names: EntitlementNames): SodPolicy =>
  withItems(policy, (item) => nameItem(item, names));

const nameItem = ({ type, id, name }: SodPolicyItem, names: EntitlementNames) => ({
  type,
  id,
  name: names.get(id) ?? name ?? null,
});

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

/** Judges what a change adds to a policy, null for one that is new: its items must exist (`ReferenceNotFound`). Those that it had stay as they are, whatever has become of them. Null when all is well. */
export function judgeAddedItems(before: SodPolicy | null, after: SodPolicy, names: EntitlementNames): Failure | null {
  const had = new Set(before === null ? [] : itemsOf(before.conflictingAccessCriteria).map(({ id }) => id));
  const faults = itemsOf(after.conflictingAccessCriteria).flatMap(({ id, at }): Fault[] =>
    names.has(id) || had.has(id) ? [] : [{ type: 'ReferenceNotFound', at, text: `there is no ENTITLEMENT ${id}` }],
  );
  return failureOf(faults);
}

/** The ids of the items of a policy, with where they are; those on several sides are repeated. */
export const itemsOf = (criteria: ConflictingAccessCriteria): readonly { readonly id: string; readonly at: string }[] =>
  placedSides(criteria).flatMap(([place, { criteriaList }]) =>
    criteriaList.map(({ id }, index) => ({ id, at: `conflictingAccessCriteria.${place}.criteriaList[${index}].id` })),
  );

/** Reads a patch of a policy, without looking at any: its shape, and that it touches nothing that is read only. */
export function parseSodPolicyPatch(body: unknown): Result<Patch, Failure> {
  const patch = parsePatch(body);
  return patch.ok ? admitPatch(patch.value, { isAllowed: isPatchable }) : patch;
}

/** Applies a patch, which may touch all but `id`, `type`, `created` and `modified`, to a policy as it is shown. Fails as `applyPatch` does; what comes of it is to be judged as any new policy. */
export const patchSodPolicy = (shown: SodPolicy, patch: Patch): Result<unknown, Failure> =>
  applyPatch(shown, patch, { isAllowed: isPatchable });

const PATCHABLE: readonly string[] = [
  'name',
  'description',
  'state',
  'level',
  'conflictingAccessCriteria',
  'externalPolicyReference',
  'compensatingControls',
  'correctionAdvice',
  'tags',
] satisfies (keyof SodPolicy)[];

const isPatchable = ([name]: JsonPointer) => name !== undefined && PATCHABLE.includes(name);

/** The criteria with each side as `change` makes it. */
export const mapSides = (
  criteria: ConflictingAccessCriteria,
  change: (side: SodCriteria) => SodCriteria,
): ConflictingAccessCriteria =>
  isKOfN(criteria)
    ? { criteria: criteria.criteria.map(change), atLeast: criteria.atLeast }
    : { leftCriteria: change(criteria.leftCriteria), rightCriteria: change(criteria.rightCriteria) };

const placedSides = (criteria: ConflictingAccessCriteria): readonly (readonly [string, SodCriteria])[] =>
  isKOfN(criteria)
    ? criteria.criteria.map((side, index) => [`criteria[${index}]`, side] as const)
    : [
        ['leftCriteria', criteria.leftCriteria],
        ['rightCriteria', criteria.rightCriteria],
      ];
