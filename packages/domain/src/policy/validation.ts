import { type Failure, failure } from '../result/failure.ts';
import { failureOf, type Issue } from '../result/issue.ts';
import {
  type ConflictingAccessCriteria,
  isKOfN,
  type KOfNCriteria,
  SOD_POLICY_ITEMS_MAX,
  SOD_POLICY_SIDES_MAX,
  SOD_POLICY_SIDES_MIN,
  type SodCriteria,
  type SodPolicy,
  type SodPolicyItem,
  type TwoSidedCriteria,
} from './model.ts';
import type { EntitlementNames } from './presentation.ts';

/**
 * Validates the criteria of a policy: 1 to 50 items a side (`RequiredMissing`, `LimitExceeded`), each item once on a side,
 * and on only one side of a two-sided policy (`IllegalValue`). A k-of-n policy has 2 to 10 sides (none: `RequiredMissing`,
 * one: `IllegalValue`, too many: `LimitExceeded`), and `atLeast` is from 2 to their number (`IllegalValue`). Null when valid.
 */
export function validateSodPolicy({
  conflictingAccessCriteria,
}: Pick<SodPolicy, 'conflictingAccessCriteria'>): Failure | null {
  return isKOfN(conflictingAccessCriteria)
    ? validateKOfN(conflictingAccessCriteria)
    : validateTwoSided(conflictingAccessCriteria);
}

const CRITERIA = 'conflictingAccessCriteria';

function validateTwoSided({ leftCriteria, rightCriteria }: TwoSidedCriteria): Failure | null {
  const left = { at: `${CRITERIA}.leftCriteria.criteriaList`, items: leftCriteria.criteriaList };
  const right = { at: `${CRITERIA}.rightCriteria.criteriaList`, items: rightCriteria.criteriaList };
  return failureOf([...sizeIssues(left), ...sizeIssues(right)]) ?? failureOf(repetitionIssues([left, right]));
}

function validateKOfN({ criteria, atLeast }: KOfNCriteria): Failure | null {
  const at = `${CRITERIA}.criteria`;
  if (criteria.length > SOD_POLICY_SIDES_MAX)
    return failure('LimitExceeded', at, `must have at most ${SOD_POLICY_SIDES_MAX} sides`);
  const sides = criteria.map(({ criteriaList }, index) => ({
    at: `${at}[${index}].criteriaList`,
    items: criteriaList,
  }));
  const sizes = criteria.length === 0 ? sizeIssues({ at, items: criteria }) : sides.flatMap(sizeIssues);
  return failureOf(sizes) ?? failureOf(kOfNIssues(sides, atLeast));
}

function* kOfNIssues(sides: readonly Side[], atLeast: number): Generator<Issue> {
  const type = 'IllegalValue';
  if (sides.length < SOD_POLICY_SIDES_MIN)
    yield { type, at: `${CRITERIA}.criteria`, text: `must have at least ${SOD_POLICY_SIDES_MIN} sides` };
  else if (!(atLeast >= SOD_POLICY_SIDES_MIN && atLeast <= sides.length))
    yield { type, at: `${CRITERIA}.atLeast`, text: `must be from ${SOD_POLICY_SIDES_MIN} to the number of sides` };
  for (const side of sides) yield* repetitionIssues([side]);
}

interface Side {
  readonly at: string;
  readonly items: readonly SodPolicyItem[];
}

function sizeIssues({ at, items }: { readonly at: string; readonly items: readonly unknown[] }): Issue[] {
  if (items.length === 0) return [{ type: 'RequiredMissing', at, text: 'must not be empty' }];
  if (items.length > SOD_POLICY_ITEMS_MAX)
    return [{ type: 'LimitExceeded', at, text: `must have at most ${SOD_POLICY_ITEMS_MAX} items` }];
  return [];
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
 * Validates what a change adds to a policy (`before` is null for a new one): added items must exist (`ReferenceNotFound`).
 * Items that the policy had before may have been deleted. Null when valid.
 */
export function validateAddedItems(
  before: SodPolicy | null,
  after: SodPolicy,
  names: EntitlementNames,
): Failure | null {
  const had = new Set(before === null ? [] : placedItems(before.conflictingAccessCriteria).map(({ id }) => id));
  const issues = placedItems(after.conflictingAccessCriteria).flatMap(({ id, at }): Issue[] =>
    names.has(id) || had.has(id) ? [] : [{ type: 'ReferenceNotFound', at, text: `there is no ENTITLEMENT ${id}` }],
  );
  return failureOf(issues);
}

/** The ids of the items of a policy and their paths; an item on several sides is repeated. */
export const placedItems = (
  criteria: ConflictingAccessCriteria,
): readonly { readonly id: string; readonly at: string }[] =>
  placedSides(criteria).flatMap(([place, { criteriaList }]) =>
    criteriaList.map(({ id }, index) => ({ id, at: `conflictingAccessCriteria.${place}.criteriaList[${index}].id` })),
  );

const placedSides = (criteria: ConflictingAccessCriteria): readonly (readonly [string, SodCriteria])[] =>
  isKOfN(criteria)
    ? criteria.criteria.map((side, index) => [`criteria[${index}]`, side] as const)
    : [
        ['leftCriteria', criteria.leftCriteria],
        ['rightCriteria', criteria.rightCriteria],
      ];
