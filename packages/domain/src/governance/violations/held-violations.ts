import { intervalOf, isWithin } from '../../access/model/interval.ts';
import type { TimedAccessRef } from '../../access/model/records.ts';
import { type Entitlements, entitlementsOf } from '../../sod/evaluation/expand-access.ts';
import { findAtInstant } from '../../sod/evaluation/find-at-instant.ts';
import { type PolicyPlace, policyAt } from '../../sod/rulebook/policy-table.ts';
import { policyPlaceAt, type SodIndex } from '../../sod/rulebook/sod-index.ts';
import { conflictingCriteriaOf } from './conflicting-criteria.ts';
import { levelRankOf } from './violation.ts';

/** A violation by access that is held at an instant. */
export interface HeldViolation {
  readonly policyId: string;
  readonly policyName: string;
  readonly levelRank: number;
  /** The JSON text of an array of `ConflictingCriterion`: see `conflictingCriteriaOf`. */
  readonly criteria: string;
}

const NOTHING_HELD = new Uint32Array();

/**
 * The policies that assignments violate at an instant (milliseconds since 1970), by id: what a prediction would find if an
 * identity without access requested all of them.
 */
export function heldViolationsAt(
  index: SodIndex,
  assignments: readonly TimedAccessRef[],
  ms: number,
): readonly HeldViolation[] {
  const parts: Entitlements[] = [];
  for (const assignment of assignments) {
    if (!isWithin(intervalOf(assignment), ms)) continue;
    const part = entitlementsOf(index.catalogue, assignment);
    if (part !== undefined) parts.push(part);
  }
  const { policies, access } = findAtInstant(index, { kind: 'instant', ms, held: NOTHING_HELD, parts });
  const { marks, heldMark } = access;
  return policies.map((policy) =>
    heldViolationOf(index, policyPlaceAt(index, policy), (_, number) => (marks[number] ?? 0) >= heldMark),
  );
}

/** The violation of a policy with these items. */
export function heldViolationOf(
  { catalogue }: Pick<SodIndex, 'catalogue'>,
  place: PolicyPlace,
  isShown: (place: number, entitlement: number) => boolean,
): HeldViolation {
  const { id: policyId, name: policyName, level } = policyAt(place);
  const criteria = JSON.stringify(conflictingCriteriaOf(catalogue, place, isShown));
  return { policyId, policyName, levelRank: levelRankOf(level), criteria };
}
