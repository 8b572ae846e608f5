import { type CsrRows, rowAt } from '../collections/csr-rows.ts';
import { idCount } from '../collections/id-dictionary.ts';
import { textAt } from '../collections/string-table.ts';
import type { SodCatalogue } from '../rulebook/catalogue.ts';

/** A policy without its sides. */
export interface LintedPolicy {
  readonly id: string;
  readonly name: string;
  readonly isEnforced: boolean;
  /** How many sides violate it: 2 for a two-sided policy, 1 for a critical-access policy. */
  readonly atLeast: number;
}

/**
 * All policies as they are written, enforced or not. The form that predictions use lacks what lint is about: policies that
 * are not enforced, and items that the catalogue does not have.
 */
export interface LintRulebook {
  readonly catalogue: SodCatalogue;
  /** The access profiles of each role, by their numbers. */
  readonly roleProfiles: CsrRows;
  /** Numbered in code-unit order of their ids. */
  readonly policies: readonly LintedPolicy[];
  /** Policy `p` has the sides from `sideStarts[p]` up to, and without, `sideStarts[p + 1]`. */
  readonly sideStarts: Uint32Array;
  /** The items of each side, sorted and unique: numbers of the catalogue, and above them those of unresolved items. */
  readonly sides: CsrRows;
  /** The ids of the items that the catalogue lacks. */
  readonly unresolved: readonly string[];
}

/** One more than the highest item number, unresolved items included. */
export const itemEnd = ({ catalogue, unresolved }: LintRulebook): number =>
  idCount(catalogue.numbers.ids) + unresolved.length;

/** The numbers of the enforced policies, ascending. */
export const enforcedPolicies = ({ policies }: LintRulebook): readonly number[] =>
  [...policies.keys()].filter((policy) => policies[policy]?.isEnforced);

/** The items of all sides of a policy, one side after the other: an item on several sides is repeated. */
export const itemsOf = ({ sideStarts, sides: { starts, values } }: LintRulebook, policy: number): Uint32Array =>
  values.subarray(starts[sideStarts[policy] ?? 0], starts[sideStarts[policy + 1] ?? 0]);

/** The items of each side of a policy. */
export function itemsBySide({ sideStarts, sides }: LintRulebook, policy: number): readonly Uint32Array[] {
  const end = sideStarts[policy + 1] ?? 0;
  const rows: Uint32Array[] = [];
  for (let side = sideStarts[policy] ?? 0; side < end; side++) rows.push(rowAt(sides, side));
  return rows;
}

/** Whether the catalogue has an item. */
export const isResolved = ({ catalogue }: LintRulebook, item: number): boolean => item < idCount(catalogue.numbers.ids);

/** The id of an item. */
export function itemId({ catalogue: { numbers }, unresolved }: LintRulebook, item: number): string {
  const count = idCount(numbers.ids);
  return item < count ? textAt(numbers.ids, item) : (unresolved[item - count] ?? '');
}
