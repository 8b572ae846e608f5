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
 * Judges the criteria of a policy: 1 to 50 items a side (`RequiredMissing`, `LimitExceeded`), every item once on a side, and
 * in a two-sided policy on one side only (`IllegalValue`); of k-of-n policies also the number of sides, 2 to 10 (none:
 * `RequiredMissing`, one: `IllegalValue`, too many: `LimitExceeded`), and `atLeast`, from 2 to that number
 * (`IllegalValue`). Null when sound.
 */
export function validateSodPolicy({
  conflictingAccessCriteria,
}: Pick<SodPolicy, 'conflictingAccessCriteria'>): Failure | null {
  return isKOfN(conflictingAccessCriteria)
    ? judgeKOfN(conflictingAccessCriteria)
    : judgeTwoSided(conflictingAccessCriteria);
}

const CRITERIA = 'conflictingAccessCriteria';

function judgeTwoSided({ leftCriteria, rightCriteria }: TwoSidedCriteria): Failure | null {
  const left = { at: `${CRITERIA}.leftCriteria.criteriaList`, items: leftCriteria.criteriaList };
  const right = { at: `${CRITERIA}.rightCriteria.criteriaList`, items: rightCriteria.criteriaList };
  return failureOf([...sizeFaults(left), ...sizeFaults(right)]) ?? failureOf(repetitionFaults([left, right]));
}

function judgeKOfN({ criteria, atLeast }: KOfNCriteria): Failure | null {
  const at = `${CRITERIA}.criteria`;
  if (criteria.length > SOD_POLICY_SIDES_MAX)
    return failure('LimitExceeded', at, `must have at most ${SOD_POLICY_SIDES_MAX} sides`);
  const sides = criteria.map(({ criteriaList }, index) => ({
    at: `${at}[${index}].criteriaList`,
    items: criteriaList,
  }));
  const sizes = criteria.length === 0 ? sizeFaults({ at, items: criteria }) : sides.flatMap(sizeFaults);
  return failureOf(sizes) ?? failureOf(kOfNFaults(sides, atLeast));
}

function* kOfNFaults(sides: readonly Side[], atLeast: number): Generator<Issue> {
  const type = 'IllegalValue';
  if (sides.length < SOD_POLICY_SIDES_MIN)
    yield { type, at: `${CRITERIA}.criteria`, text: `must have at least ${SOD_POLICY_SIDES_MIN} sides` };
  else if (!(atLeast >= SOD_POLICY_SIDES_MIN && atLeast <= sides.length))
    yield { type, at: `${CRITERIA}.atLeast`, text: `must be from ${SOD_POLICY_SIDES_MIN} to the number of sides` };
  for (const side of sides) yield* repetitionFaults([side]);
}

interface Side {
  readonly at: string;
  readonly items: readonly SodPolicyItem[];
}

function sizeFaults({ at, items }: { readonly at: string; readonly items: readonly unknown[] }): Issue[] {
  if (items.length === 0) return [{ type: 'RequiredMissing', at, text: 'must not be empty' }];
  if (items.length > SOD_POLICY_ITEMS_MAX)
    return [{ type: 'LimitExceeded', at, text: `must have at most ${SOD_POLICY_ITEMS_MAX} items` }];
  return [];
}

// An item may be once on any of these sides.
function* repetitionFaults(sides: readonly Side[]): Generator<Issue> {
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

/** Judges what a change adds to a policy, null for one that is new: its items must exist (`ReferenceNotFound`). Those that it had stay as they are, whatever has become of them. Null when all is well. */
export function validateAddedItems(
  before: SodPolicy | null,
  after: SodPolicy,
  names: EntitlementNames,
): Failure | null {
  const had = new Set(before === null ? [] : placedItems(before.conflictingAccessCriteria).map(({ id }) => id));
  const faults = placedItems(after.conflictingAccessCriteria).flatMap(({ id, at }): Issue[] =>
    names.has(id) || had.has(id) ? [] : [{ type: 'ReferenceNotFound', at, text: `there is no ENTITLEMENT ${id}` }],
  );
  return failureOf(faults);
}

/** The ids of the items of a policy, with where they are; those on several sides are repeated. */
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
