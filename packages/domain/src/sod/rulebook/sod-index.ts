import type { Catalogue } from '../../access/model/records.ts';
import { type EvaluatedPolicy, isEnforced } from '../../policies/model.ts';
import { compileSodCatalogue, type SodCatalogue } from './catalogue.ts';
import { compileSodPolicies, findInTable, type PolicyPlace, type SodPolicyTable } from './policy-table.ts';

/** The overlay of changes: policies that differ from the compiled ones. */
export interface SodOverlay {
  /** By id; null for a policy that was deleted or is no longer enforced. */
  readonly policiesById: ReadonlyMap<string, EvaluatedPolicy | null>;
  /** The changed policies that are enforced. */
  readonly table: SodPolicyTable;
  /** The numbers of the compiled policies that do not count any more, or not as they were. */
  readonly retired: ReadonlySet<number>;
}

/** A rulebook compiled for evaluation. It is immutable: `changePolicies` returns another index. */
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

/** The index of a catalogue and of the policies that were compiled for it. */
export const createSodIndex = (catalogue: SodCatalogue, compiled: SodPolicyTable): SodIndex => ({
  catalogue,
  compiled,
  overlay: null,
  policyCount: compiled.policies.length,
  changedPolicies: 0,
});

/**
 * Compiles a rulebook at once: policies, of which only the enforced ones count, and the catalogue that they and access refs
 * name. For a large one, which takes long, use a `CatalogueCompiler` and a `PolicyCompiler`.
 */
export function compileSodIndex(policies: readonly EvaluatedPolicy[], given: Catalogue): SodIndex {
  const catalogue = compileSodCatalogue(given);
  return createSodIndex(catalogue, compileSodPolicies(policies.filter(isEnforced), catalogue));
}

/** Where a policy of an index is: the compiled policies come first, those of the overlay are numbered after them. */
export function policyPlaceAt({ compiled, overlay }: SodIndex, policy: number): PolicyPlace {
  const number = policy - compiled.policies.length;
  return overlay === null || number < 0 ? { table: compiled, number: policy } : { table: overlay.table, number };
}

/** Where the policy with this id is; null unless it is enforced. */
export function findPolicy({ compiled, overlay }: SodIndex, id: string): PolicyPlace | null {
  const isChanged = overlay?.policiesById.has(id) === true;
  return findInTable(isChanged ? overlay.table : compiled, id);
}

/**
 * Merges numbers of compiled policies that are not retired with numbers of policies of the overlay, each ascending, to numbers
 * of the index in order of the ids.
 */
export function mergePolicies(
  { compiled, overlay }: SodIndex,
  unchanged: readonly number[],
  changed: readonly number[],
): readonly number[] {
  if (overlay === null) return unchanged;
  const merged: number[] = [];
  let next = 0;
  for (const number of unchanged) {
    const { id } = compiled.policies[number] ?? NO_POLICY;
    for (; next < changed.length && (overlay.table.policies[changed[next] ?? 0] ?? NO_POLICY).id < id; next++)
      merged.push(compiled.policies.length + (changed[next] ?? 0));
    merged.push(number);
  }
  for (const number of changed.slice(next)) merged.push(compiled.policies.length + number);
  return merged;
}

const NO_POLICY = { id: '' };
