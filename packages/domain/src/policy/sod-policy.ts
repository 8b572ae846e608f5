import { type Failure, failure } from '../result/failure.ts';
import { failureOf, type Issue } from '../result/issue.ts';

/** One conflicting item of a policy. `name` is informative: answers show the name that the catalogue has today. */
export interface SodPolicyItem {
  readonly type: 'ENTITLEMENT';
  readonly id: string;
  readonly name?: string | null;
}

/** One side of a policy: an identity is on it when it has at least one of the items. */
export interface SodCriteria {
  readonly name: string | null;
  readonly criteriaList: readonly SodPolicyItem[];
}

/** The criteria of a two-sided policy: no identity may be on both sides. */
export interface TwoSidedCriteria {
  readonly leftCriteria: SodCriteria;
  readonly rightCriteria: SodCriteria;
}

/** The criteria of a k-of-n policy: no identity may be on `atLeast` of the sides or more. */
export interface KOfNCriteria {
  readonly criteria: readonly SodCriteria[];
  readonly atLeast: number;
}

/** The criteria of a policy of either form. */
export type ConflictingAccessCriteria = TwoSidedCriteria | KOfNCriteria;

/** Whether these are the criteria of a k-of-n policy. */
export const isKOfN = (criteria: ConflictingAccessCriteria): criteria is KOfNCriteria => 'criteria' in criteria;

/** The sides of a policy of either form, left before right. */
export const sidesOf = (criteria: ConflictingAccessCriteria): readonly SodCriteria[] =>
  isKOfN(criteria) ? criteria.criteria : [criteria.leftCriteria, criteria.rightCriteria];

/** Whether a policy counts. */
export const SOD_POLICY_STATES = ['ENFORCED', 'NOT_ENFORCED'] as const;
export type SodPolicyState = (typeof SOD_POLICY_STATES)[number];

/** How grave a violation of the policy is. */
export const SOD_POLICY_LEVELS = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'] as const;
export type SodPolicyLevel = (typeof SOD_POLICY_LEVELS)[number];

/** A separation-of-duties policy: no identity may have an item of each side, or of too many sides. */
export interface SodPolicy {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly state: SodPolicyState;
  readonly level: SodPolicyLevel;
  readonly type: 'CONFLICTING_ACCESS_BASED';
  readonly conflictingAccessCriteria: ConflictingAccessCriteria;
  readonly externalPolicyReference: string | null;
  readonly compensatingControls: string | null;
  readonly correctionAdvice: string | null;
  readonly tags: readonly string[];
  /** ISO 8601 in UTC with milliseconds. */
  readonly created: string;
  readonly modified: string;
}

/** The most items of one side of a policy. */
export const SOD_POLICY_ITEMS_MAX = 50;

/** The fewest and the most sides of a k-of-n policy; the fewest is also the least that `atLeast` can be. */
export const SOD_POLICY_SIDES_MIN = 2;
export const SOD_POLICY_SIDES_MAX = 10;

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
