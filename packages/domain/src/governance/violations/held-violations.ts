import type { TimedAccessRef } from '../../access/model/records.ts';
import type { HeldMoments } from '../../predictions/coverage.ts';
import {
  type ChooseItem,
  chosenItems,
  findHeld,
  findPolicy,
  type PolicyPlace,
  policyAt,
  type SodIndex,
  sweepAssignments,
  termsAt,
} from '../../sod/index.ts';
import { conflictingCriteriaOf } from './conflicting-criteria.ts';
import { type ConflictingCriterion, levelRankOf } from './violation.ts';

/** A violation by access that is held at an instant. */
export interface HeldViolation {
  readonly policyId: string;
  readonly policyName: string;
  readonly levelRank: number;
  /** The JSON text of an array of `ConflictingCriterion`: see `conflictingCriteriaOf`. */
  readonly criteria: string;
}

/**
 * The policies that assignments violate at an instant (milliseconds since 1970), by id: what a prediction would find if an
 * identity without access requested all of them.
 */
export function heldViolationsAt(
  index: SodIndex,
  assignments: readonly TimedAccessRef[],
  ms: number,
): readonly HeldViolation[] {
  const { policies, isHeld } = findHeld(index, assignments, ms);
  return policies.map((policy) => heldViolationOf(index, policy, isHeld));
}

/** The violation of a policy with these items. */
export function heldViolationOf(
  { catalogue }: Pick<SodIndex, 'catalogue'>,
  policy: PolicyPlace,
  isHeld: ChooseItem,
): HeldViolation {
  const { id: policyId, name: policyName, level } = policyAt(policy);
  const criteria = JSON.stringify(conflictingCriteriaOf(policy, chosenItems(catalogue, policy, isHeld)));
  return { policyId, policyName, levelRank: levelRankOf(level), criteria };
}

/** A violation at an instant (milliseconds since 1970), to be judged with exceptions. */
export function heldMomentsAt(
  index: SodIndex,
  { policyId, criteria }: Pick<HeldViolation, 'policyId' | 'criteria'>,
  { assignments, ms }: { readonly assignments: readonly TimedAccessRef[]; readonly ms: number },
): HeldMoments {
  const place = findPolicy(index, policyId);
  if (place === null) throw new Error(`The index lacks the policy ${policyId}, which is violated.`);
  const sides: readonly ConflictingCriterion[] = JSON.parse(criteria);
  return {
    intervals: [{ startMs: ms, endMs: Number.POSITIVE_INFINITY }],
    items: sides.flatMap(({ conflictingItems }) => conflictingItems.map(({ id }) => id)),
    terms: termsAt(place),
    itemsFrom: (fromMs) => sweepAssignments(index.catalogue, place, { assignments, fromMs }).items,
  };
}
