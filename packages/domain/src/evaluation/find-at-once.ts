import type { SodPolicyTable } from '../rulebook/policy-table.ts';
import { mergePolicies, type SodIndex } from '../rulebook/sod-index.ts';
import { createWorkBudget } from '../steps/work-budget.ts';
import { createEvaluator, type MarkedAccess, releaseEvaluator, startAccess, takeEvaluator } from './evaluator.ts';
import {
  countEntries,
  evaluateEntries,
  LIGHT,
  markHeld,
  markRequested,
  sortedOnce,
  type Walk,
} from './find-at-instant.ts';
import type { FoundViolations } from './found-violations.ts';
import type { InstantQuestion } from './question.ts';

/** Finds the violations of one instant without a pause; null if the work exceeds the limit for one step. */
export function findAtOnce(index: SodIndex, { ms, held, parts }: InstantQuestion): FoundViolations | null {
  const { compiled, overlay } = index;
  let size = held.length / LIGHT;
  for (const part of parts) size += part.length;
  if (size > AT_ONCE) return null;
  let entryCount = 0;
  for (const part of parts) {
    for (let at = 0; at < part.length; at++) {
      entryCount += countEntries(compiled, part[at] ?? 0);
      if (overlay !== null) entryCount += countEntries(overlay.table, part[at] ?? 0);
    }
  }
  if (entryCount === 0) return NOTHING_FOUND;
  if (entryCount > AT_ONCE) return null;
  const evaluator = takeEvaluator(index.catalogue);
  const access = startAccess(evaluator);
  const requested: number[] = [];
  for (const part of parts) markRequested(part, { from: 0, end: part.length, access, requested });
  markHeld(held, { from: 0, end: held.length, access });
  const violated = searchAtOnce(compiled, requested, access);
  const changed = overlay === null ? [] : searchAtOnce(overlay.table, requested, access);
  const policies = mergePolicies(index, violated, changed);
  if (policies.length > 0) return { policies, ms, access, evaluator, temporal: null };
  releaseEvaluator(evaluator);
  return NOTHING_FOUND;
}

// Work of a fraction of a millisecond.
const AT_ONCE = 1_024;
const UNLIMITED = createWorkBudget();

function searchAtOnce(table: SodPolicyTable, requested: readonly number[], access: MarkedAccess): readonly number[] {
  const walk: Walk = { table, access, budget: UNLIMITED, evaluated: null, evaluatedMark: 0, violated: [] };
  const { starts } = table.entries;
  for (let at = 0; at < requested.length; at++) {
    const entitlement = requested[at] ?? 0;
    if (access.marks[entitlement] === access.heldMark) continue;
    evaluateEntries(walk, starts[entitlement] ?? 0, starts[entitlement + 1] ?? 0);
  }
  return sortedOnce(walk.violated);
}

const NOTHING_FOUND: FoundViolations = {
  policies: [],
  ms: 0,
  access: { marks: new Uint8Array(), heldMark: 0 },
  evaluator: createEvaluator(0),
  temporal: null,
};
