import { textOfMissing } from '../access/model/records.ts';
import type { Failure } from '../basics/result/failure.ts';
import { failureOf, type Issue } from '../basics/result/issue.ts';
import {
  allowedControlsOf,
  type ConflictingAccessCriteria,
  isKOfN,
  SOD_POLICY_AT_LEAST_MIN,
  type SodPolicy,
  type SodPolicyItem,
  sidesOf,
} from './model.ts';
import type { PolicyReferences } from './presentation.ts';

/**
 * Validates that the criteria of a policy fit together: each item once on a side, and on only one side of a two-sided policy;
 * `atLeast` of a k-of-n policy is not beyond the number of its sides (`IllegalValue`). Null when valid.
 */
export function validateSodPolicy({
  conflictingAccessCriteria: criteria,
}: Pick<SodPolicy, 'conflictingAccessCriteria'>): Failure | null {
  const sides = placedSides(criteria);
  return failureOf(isKOfN(criteria) ? kOfNIssues(sides, criteria.atLeast) : repetitionIssues(sides));
}

/** What `atLeast` of a policy with several sides can be. */
export const AT_LEAST_RANGE = `from ${SOD_POLICY_AT_LEAST_MIN} to the number of sides`;

const CRITERIA = 'conflictingAccessCriteria';

function* kOfNIssues(sides: readonly Side[], atLeast: number): Generator<Issue> {
  if (atLeast > sides.length)
    yield { type: 'IllegalValue', at: `${CRITERIA}.atLeast`, text: `must be ${AT_LEAST_RANGE}` };
  for (const side of sides) yield* repetitionIssues([side]);
}

/** A side and the path of its items. */
interface Side {
  readonly at: string;
  readonly items: readonly SodPolicyItem[];
}

// An item may occur only once on all of these sides.
function* repetitionIssues(sides: readonly Side[]): Generator<Issue> {
  const sideById = new Map<string, Side>();
  for (const side of sides) {
    for (const [position, { id }] of side.items.entries()) {
      const earlier = sideById.get(id);
      const text = earlier === side ? 'repeats an item of this side' : 'is an item of the other side too';
      if (earlier === undefined) sideById.set(id, side);
      else yield { type: 'IllegalValue', at: `${side.at}[${position}].id`, text };
    }
  }
}

/**
 * Validates what a change adds to a policy (`before` is null for a new one): added items, another owner and the
 * allowed controls must exist (`ReferenceNotFound`). Items that the policy had before may have been deleted. Null when valid.
 */
export function validateAddedReferences(
  before: SodPolicy | null,
  after: SodPolicy,
  { entitlements, identities, controls }: PolicyReferences,
): Failure | null {
  const had = new Set(before === null ? [] : placedItems(before.conflictingAccessCriteria).map(({ id }) => id));
  const issues = placedItems(after.conflictingAccessCriteria).flatMap(({ id, at }): Issue[] =>
    entitlements.has(id) || had.has(id)
      ? []
      : [{ type: 'ReferenceNotFound', at, text: `there is no ENTITLEMENT ${id}` }],
  );
  const ownerId = after.ownerRef?.id ?? null;
  if (ownerId !== null && !identities.has(ownerId))
    issues.push({ type: 'ReferenceNotFound', at: 'ownerRef.id', text: textOfMissing('identity', ownerId) });
  for (const { id, at } of allowedControlsOf(after))
    if (!controls.has(id)) issues.push({ type: 'ReferenceNotFound', at, text: textOfMissing('control', id) });
  return failureOf(issues);
}

/** The ids of the items of a policy and their paths; an item on several sides is repeated. */
export const placedItems = (
  criteria: ConflictingAccessCriteria,
): readonly { readonly id: string; readonly at: string }[] =>
  placedSides(criteria).flatMap(({ at, items }) => items.map(({ id }, index) => ({ id, at: `${at}[${index}].id` })));

function placedSides(criteria: ConflictingAccessCriteria): readonly Side[] {
  const placeOf = isKOfN(criteria) ? (side: number) => `criteria[${side}]` : (side: number) => TWO_SIDES[side];
  return sidesOf(criteria).map(({ criteriaList: items }, side) => ({
    at: `${CRITERIA}.${placeOf(side)}.criteriaList`,
    items,
  }));
}

const TWO_SIDES = ['leftCriteria', 'rightCriteria'];
