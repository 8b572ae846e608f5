import type { Catalogue } from '../../access/model/records.ts';
import { type EvaluatedPolicy, isEnforced } from '../../governance/policies/model.ts';
import { idCount, lowerBound } from '../collections/id-dictionary.ts';
import { textAt } from '../collections/string-table.ts';
import { compileSodCatalogue, type SodCatalogue } from './catalogue.ts';
import { compileSodPolicies, type PolicyPlace, type SodPolicyTable } from './policy-table.ts';

/** The overlay of changes: policies that differ from the compiled ones. */
export interface SodOverlay {
  /** By id; null for a policy that was deleted or is no longer enforced. */
  readonly policiesById: ReadonlyMap<string, EvaluatedPolicy | null>;
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

/** The index of a catalogue and of the policies that were compiled for it. */
export const createSodIndex = (catalogue: SodCatalogue, compiled: SodPolicyTable): SodIndex => ({
  catalogue,
  compiled,
  overlay: null,
  policyCount: compiled.levels.length,
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
  const number = policy - compiled.levels.length;
  return overlay === null || number < 0 ? { table: compiled, number: policy } : { table: overlay.table, number };
}

/** Where the policy with this id is; null unless it is enforced. */
export function findPolicy({ compiled, overlay }: SodIndex, id: string): PolicyPlace | null {
  const changed = overlay?.policiesById.get(id);
  if (changed === null) return null;
  const table = overlay === null || changed === undefined ? compiled : overlay.table;
  const number = lowerBound(table.ids, id);
  return number < idCount(table.ids) && textAt(table.ids, number) === id ? { table, number } : null;
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
