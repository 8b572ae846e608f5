import type { AccessRef } from '../access-model/records.ts';
import { rowAt } from '../collections/csr-rows.ts';
import { findId } from '../collections/id-dictionary.ts';
import type { SodBundles, SodCatalogue } from '../rulebook/catalogue.ts';
import type { SodIndex } from '../rulebook/sod-index.ts';
import { createWorkBudget, isPauseDue, runToEnd, type Steps, type WorkBudget } from '../steps/work-budget.ts';
import { type MarkedAccess, releaseEvaluator, startAccess, takeEvaluator } from './evaluator.ts';

/** The entitlements that access refs stand for. */
export interface ExpandedAccess {
  /** Numbers of the index, sorted and unique. */
  readonly entitlements: Uint32Array;
  /** The refs that the catalogue does not have, each once, in the order given. */
  readonly unresolved: readonly AccessRef[];
}

/**
 * Expands access refs to entitlements, directly and through access profiles and roles. The numbers hold for every index
 * with the same `catalogue`.
 */
export function expandAccess({ catalogue }: SodIndex, refs: readonly AccessRef[]): ExpandedAccess {
  const parts: Entitlements[] = [];
  const unresolved = new Map<string, AccessRef>();
  for (const ref of refs) {
    const part = entitlementsOf(catalogue, ref);
    if (part !== undefined) parts.push(part);
    else if (!unresolved.has(`${ref.type} ${ref.id}`)) unresolved.set(`${ref.type} ${ref.id}`, ref);
  }
  const entitlements = runToEnd(uniteInSteps(catalogue, parts, createWorkBudget()));
  return { entitlements, unresolved: [...unresolved.values()] };
}

/** Numbers of a catalogue, ascending, each once. */
export type Entitlements = ArrayLike<number>;

/** The entitlements that one access ref stands for; undefined when the catalogue does not have it. */
export function entitlementsOf(catalogue: SodCatalogue, { type, id }: AccessRef): Entitlements | undefined {
  if (type === 'ROLE') return bundleOf(catalogue.roles, id);
  if (type === 'ACCESS_PROFILE') return bundleOf(catalogue.accessProfiles, id);
  const number = findId(catalogue.numbers, id);
  return number === undefined ? undefined : [number];
}

/** The entitlements that are in any of the parts, sorted and unique, in steps. */
export function* uniteInSteps(
  catalogue: SodCatalogue,
  parts: readonly Entitlements[],
  budget: WorkBudget,
): Steps<Uint32Array> {
  const evaluator = takeEvaluator(catalogue);
  const access = startAccess(evaluator);
  const found: number[] = [];
  for (const part of parts) {
    for (let from = 0; from < part.length; from += RUN) {
      const end = Math.min(part.length, from + RUN);
      gather(part, { from, end, access, found });
      if (isPauseDue(budget, (end - from) / ENTITLEMENTS_PER_UNIT)) yield;
    }
  }
  const united = Uint32Array.from(found);
  if (united.length <= SORTED_MAX) united.sort();
  else yield* collectMarked(united, access, budget);
  releaseEvaluator(evaluator);
  return united;
}

// Sorting more would take too long without a pause.
const SORTED_MAX = 4_096;

/** Fills in all marked entitlements, in ascending order. */
function* collectMarked(united: Uint32Array, { marks, heldMark }: MarkedAccess, budget: WorkBudget): Steps<void> {
  let length = 0;
  for (let from = 0; from < marks.length; from += RUN) {
    const end = Math.min(marks.length, from + RUN);
    for (let entitlement = from; entitlement < end; entitlement++) {
      if (marks[entitlement] === heldMark) united[length++] = entitlement;
    }
    if (isPauseDue(budget, (end - from) / ENTITLEMENTS_PER_UNIT)) yield;
  }
}

// Entitlements between two checks of the budget, and in one unit of work.
const RUN = 4_096;
const ENTITLEMENTS_PER_UNIT = 16;

interface Gathering {
  readonly from: number;
  readonly end: number;
  readonly access: MarkedAccess;
  readonly found: number[];
}

function gather(part: Entitlements, { from, end, access: { marks, heldMark }, found }: Gathering): void {
  for (let i = from; i < end; i++) {
    const entitlement = part[i] ?? 0;
    if (marks[entitlement] === heldMark) continue;
    marks[entitlement] = heldMark;
    found.push(entitlement);
  }
}

function bundleOf({ numbers, entitlements }: SodBundles, id: string): Uint32Array | undefined {
  const number = findId(numbers, id);
  return number === undefined ? undefined : rowAt(entitlements, number);
}
