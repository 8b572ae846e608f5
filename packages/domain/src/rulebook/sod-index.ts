import type { Catalogue } from '../access-model/records.ts';
import { sortById } from '../collections/sort-by-id.ts';
import type { SodPolicy } from '../policy/model.ts';
import {
  COMPILE_STEP_WORK,
  createWorkBudget,
  isPauseDue,
  runToEnd,
  type Steps,
  type WorkBudget,
} from '../steps/work-budget.ts';
import { compileSodCatalogue, type SodCatalogue } from './catalogue.ts';
import { compileSodPolicies, type PolicyPlace, type SodPolicyTable } from './policy-table.ts';

/** The overlay of changes: policies that differ from the compiled ones. */
export interface SodOverlay {
  /** By id; null for a policy that was deleted or is no longer enforced. */
  readonly policiesById: ReadonlyMap<string, SodPolicy | null>;
  /** The changed policies that are enforced. */
  readonly table: SodPolicyTable;
  /** For each policy of the table how many of those compiled come before it in order of ids. */
  readonly places: Uint32Array;
  /** The numbers of the compiled policies that do not count any more, or not as they were. */
  readonly retired: ReadonlySet<number>;
}

/**
 * A rulebook compiled for evaluation. It is immutable, except for its caches of names: `changePolicies` returns another
 * index.
 */
export interface SodIndex {
  readonly catalogue: SodCatalogue;
  /** The enforced policies of the compilation. */
  readonly compiled: SodPolicyTable;
  /** Null without a difference. */
  readonly overlay: SodOverlay | null;
  /** How many policies are enforced. */
  readonly policyCount: number;
  /** How many policies differ from those compiled: predictions slow down and memory grows with them. */
  readonly changedPolicies: number;
}

/** Compiles a rulebook: policies, of which only the enforced ones count, and the catalogue that they and access refs name. */
export function compileSodIndex(policies: readonly SodPolicy[], catalogue: Catalogue): SodIndex {
  return runToEnd(compileSodIndexInSteps(policies, catalogue));
}

/** What `compileSodIndex` does, with a pause after each few milliseconds of work. */
export function* compileSodIndexInSteps(policies: readonly SodPolicy[], catalogue: Catalogue): Steps<SodIndex> {
  const budget = createWorkBudget(COMPILE_STEP_WORK);
  const compiledCatalogue = yield* compileSodCatalogue(catalogue, budget);
  const enforced = yield* sortById(yield* enforcedOf(policies, budget), budget);
  const compiled = yield* compileSodPolicies(enforced, { catalogue: compiledCatalogue, budget });
  return { catalogue: compiledCatalogue, compiled, overlay: null, policyCount: enforced.length, changedPolicies: 0 };
}

function* enforcedOf(policies: readonly SodPolicy[], budget: WorkBudget): Steps<readonly SodPolicy[]> {
  const enforced: SodPolicy[] = [];
  for (const policy of policies) {
    if (policy.state === 'ENFORCED') enforced.push(policy);
    if (isPauseDue(budget, 1)) yield;
  }
  return enforced;
}

/** Where a policy of an index is: the compiled policies come first, those of the overlay are numbered after them. */
export function policyPlaceAt({ compiled, overlay }: SodIndex, policy: number): PolicyPlace {
  const number = policy - compiled.levels.length;
  return overlay === null || number < 0 ? { table: compiled, number: policy } : { table: overlay.table, number };
}

/**
 * Merges numbers of compiled policies with numbers of policies of the overlay, each ascending and unique, to numbers of the
 * index in order of the ids; compiled policies that do not count any more, or not as they were, are left out.
 */
export function mergePolicies(
  { compiled, overlay }: SodIndex,
  unchanged: readonly number[],
  changed: readonly number[],
): readonly number[] {
  if (overlay === null) return unchanged;
  const merged: number[] = [];
  let next = 0;
  const takeChanged = (before: number) => {
    for (; next < changed.length && (overlay.places[changed[next] ?? 0] ?? 0) <= before; next++) {
      merged.push(compiled.levels.length + (changed[next] ?? 0));
    }
  };
  for (const number of unchanged) {
    takeChanged(number);
    if (!overlay.retired.has(number)) merged.push(number);
  }
  takeChanged(compiled.levels.length);
  return merged;
}
