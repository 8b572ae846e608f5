import type { Failure } from './failure.ts';
import { type Fault, failureOf } from './fault.ts';

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

/** Whether a policy counts. */
export const SOD_POLICY_STATES = ['ENFORCED', 'NOT_ENFORCED'] as const;
export type SodPolicyState = (typeof SOD_POLICY_STATES)[number];

/** How grave a violation of the policy is. */
export const SOD_POLICY_LEVELS = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'] as const;
export type SodPolicyLevel = (typeof SOD_POLICY_LEVELS)[number];

/** A separation-of-duties policy: no identity may have an item of each side. */
export interface SodPolicy {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly state: SodPolicyState;
  readonly level: SodPolicyLevel;
  readonly type: 'CONFLICTING_ACCESS_BASED';
  readonly conflictingAccessCriteria: { readonly leftCriteria: SodCriteria; readonly rightCriteria: SodCriteria };
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

/** Judges the sides of a policy: 1 to 50 items each (`RequiredMissing`, `LimitExceeded`), every item once and on one side only (`IllegalValue`). Null when sound. */
export function judgeSodPolicy(policy: Pick<SodPolicy, 'conflictingAccessCriteria'>): Failure | null {
  const { leftCriteria, rightCriteria } = policy.conflictingAccessCriteria;
  const left = { at: 'conflictingAccessCriteria.leftCriteria.criteriaList', items: leftCriteria.criteriaList };
  const right = { at: 'conflictingAccessCriteria.rightCriteria.criteriaList', items: rightCriteria.criteriaList };
  return failureOf([...sizeFaults(left), ...sizeFaults(right)]) ?? failureOf(repetitionFaults([left, right]));
}

interface Side {
  readonly at: string;
  readonly items: readonly SodPolicyItem[];
}

function sizeFaults({ at, items }: Side): Fault[] {
  if (items.length === 0) return [{ type: 'RequiredMissing', at, text: 'must not be empty' }];
  if (items.length > SOD_POLICY_ITEMS_MAX)
    return [{ type: 'LimitExceeded', at, text: `must have at most ${SOD_POLICY_ITEMS_MAX} items` }];
  return [];
}

function* repetitionFaults(sides: readonly Side[]): Generator<Fault> {
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
