import { intervalOf, isWithin } from '../access-model/interval.ts';
import type { TimedAccessRef } from '../access-model/records.ts';
import { type Entitlements, entitlementsOf } from '../evaluation/expand-access.ts';
import { findAtInstant } from '../evaluation/find-at-instant.ts';
import { findAtOnce } from '../evaluation/find-at-once.ts';
import { type FoundViolations, releaseViolations } from '../evaluation/found-violations.ts';
import { type PolicyPlace, policyAt } from '../rulebook/policy-table.ts';
import { policyPlaceAt, type SodIndex } from '../rulebook/sod-index.ts';
import { createWorkBudget, runToEnd } from '../steps/work-budget.ts';
import { conflictingCriteriaJson } from './conflicting-criteria.ts';
import { levelRankOf } from './violation.ts';

/** A violation by access that is held at an instant. */
export interface HeldViolation {
  readonly policyId: string;
  readonly policyName: string;
  readonly levelRank: number;
  /** JSON: see `conflictingCriteriaJson`. */
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
  const question = { kind: 'instant', ms, held: NOTHING_HELD, parts } as const;
  const found = findAtOnce(index, question) ?? runToEnd(findAtInstant(index, question, createWorkBudget()));
  return takeViolations(index, found);
}

function takeViolations(index: SodIndex, found: FoundViolations): readonly HeldViolation[] {
  if (found.policies.length === 0) return [];
  const { marks, heldMark } = found.access;
  const violations = found.policies.map((policy) =>
    heldViolationOf(index, policyPlaceAt(index, policy), (_, number) => (marks[number] ?? 0) >= heldMark),
  );
  releaseViolations(found);
  return violations;
}

/** The violation of a policy with these items. */
export function heldViolationOf(
  { catalogue }: Pick<SodIndex, 'catalogue'>,
  place: PolicyPlace,
  isShown: (place: number, entitlement: number) => boolean,
): HeldViolation {
  const { id: policyId, name: policyName, level } = policyAt(place).policy;
  const criteria = conflictingCriteriaJson(catalogue, place, isShown);
  return { policyId, policyName, levelRank: levelRankOf(level), criteria };
}
