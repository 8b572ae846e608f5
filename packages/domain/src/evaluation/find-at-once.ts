import type { SodPolicyTable } from '../rulebook/policy-table.ts';
import { mergePolicies, type SodIndex } from '../rulebook/sod-index.ts';
import { createWorkBudget } from '../steps/work-budget.ts';
import { createEvaluator, type MarkedAccess, releaseEvaluator, startAccess, takeEvaluator } from './evaluator.ts';
import type { Entitlements } from './expand-access.ts';
import { countEntries, evaluateEntries, LIGHT, sortedOnce, type Walk } from './find-at-instant.ts';
import type { FoundViolations } from './found-violations.ts';
import type { InstantQuestion } from './question.ts';

/** Finds the violations of one instant without a pause; null if the work exceeds the limit for one step. */
export function findAtOnce(index: SodIndex, question: InstantQuestion): FoundViolations | null {
  const { compiled, overlay } = index;
  const { ms, held, parts, timed } = question;
  if (held.length > AT_ONCE * LIGHT) return null;
  let size = 0;
  let entryCount = 0;
  for (const part of parts) {
    size += part.length;
    if (size > AT_ONCE) return null;
    entryCount += countAllEntries(index, part);
  }
  if (entryCount === 0) return NOTHING_FOUND;
  if (entryCount > AT_ONCE) return null;
  if (timed !== undefined && sizeOf(timed.parts) > AT_ONCE) return null;
  const evaluator = takeEvaluator(index.catalogue);
  const access = startAccess(evaluator);
  markAccess(access, question);
  const violated = searchAtOnce(compiled, parts, access);
  const policies =
    overlay === null ? violated : mergePolicies(index, violated, searchAtOnce(overlay.table, parts, access));
  if (policies.length > 0) return { policies, ms, access, evaluator, temporal: null };
  releaseEvaluator(evaluator);
  return NOTHING_FOUND;
}

/** The number of entries of entitlements in both tables; without any, gaining them violates nothing. */
export const countAllEntries = ({ compiled, overlay }: SodIndex, entitlements: Entitlements): number =>
  countEntries(compiled, entitlements) + (overlay === null ? 0 : countEntries(overlay.table, entitlements));

// Work of a fraction of a millisecond.
const AT_ONCE = 1_024;
const UNLIMITED = createWorkBudget();

const sizeOf = (parts: readonly Entitlements[]): number => parts.reduce((size, { length }) => size + length, 0);

// What is marked later replaces earlier marks.
function markAccess({ marks, heldMark }: MarkedAccess, { held, parts, timed }: InstantQuestion): void {
  if (timed?.yieldsToRequest === true) markParts(marks, timed.parts, heldMark);
  markParts(marks, parts, heldMark + 1);
  for (let at = 0; at < held.length; at++) marks[held[at] ?? 0] = heldMark;
  if (timed?.yieldsToRequest === false) markParts(marks, timed.parts, heldMark);
}

function markParts(marks: Uint8Array, parts: readonly Entitlements[], mark: number): void {
  for (const part of parts) for (let at = 0; at < part.length; at++) marks[part[at] ?? 0] = mark;
}

function searchAtOnce(table: SodPolicyTable, parts: readonly Entitlements[], access: MarkedAccess): readonly number[] {
  const walk: Walk = { table, access, budget: UNLIMITED, evaluated: null, evaluatedMark: 0, violated: [] };
  const { starts } = table.entries;
  for (const part of parts) {
    for (let at = 0; at < part.length; at++) {
      const entitlement = part[at] ?? 0;
      if (access.marks[entitlement] === access.heldMark) continue;
      evaluateEntries(walk, starts[entitlement] ?? 0, starts[entitlement + 1] ?? 0);
    }
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
