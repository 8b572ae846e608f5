import { admitPatch, applyPatch } from '../json-patch/apply-patch.ts';
import { type Patch, parsePatch } from '../json-patch/parse-patch.ts';
import type { JsonPointer } from '../json-patch/pointer.ts';
import { type Failure, failure } from '../result/failure.ts';
import { failureOf, type Issue } from '../result/issue.ts';
import { fail, type Result } from '../result/result.ts';
import {
  type ConflictingAccessCriteria,
  isKOfN,
  type SodCriteria,
  type SodPolicy,
  type SodPolicyItem,
  sidesOf,
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

/** Judges what a change adds to a policy, null for one that is new: its items must exist (`ReferenceNotFound`). Those that it had stay as they are, whatever has become of them. Null when all is well. */
export function validateAddedItems(
  before: SodPolicy | null,
  after: SodPolicy,
  names: EntitlementNames,
): Failure | null {
  const had = new Set(before === null ? [] : itemsOf(before.conflictingAccessCriteria).map(({ id }) => id));
  const faults = itemsOf(after.conflictingAccessCriteria).flatMap(({ id, at }): Issue[] =>
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

/**
 * Applies a patch, which may touch all but `id`, `type`, `created` and `modified`, to a policy as it is shown. Fails as
 * `applyPatch` does, and with `IllegalValue` when it removes what cannot be null; what comes of it is to be judged as any new
 * policy.
 */
export function patchSodPolicy(shown: SodPolicy, patch: Patch): Result<unknown, Failure> {
  const patched = applyPatch(shown, patch, { isAllowed: isPatchable });
  const after = patched.ok ? Object(patched.value) : null;
  const removed = NEVER_NULL.find((name) => after !== null && !Object.hasOwn(after, name));
  return removed === undefined ? patched : fail(failure('IllegalValue', removed, 'must not be removed'));
}

const NEVER_NULL = ['name', 'state', 'level', 'conflictingAccessCriteria', 'tags'] satisfies (keyof SodPolicy)[];

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
