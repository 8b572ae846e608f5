import { type CsrRows, rowAt } from '../collections/csr-rows.ts';
import { idCount } from '../collections/id-dictionary.ts';
import { textAt } from '../collections/string-table.ts';
import type { SodCatalogue } from '../rulebook/catalogue.ts';

/** A policy but for its sides. */
export interface LintedPolicy {
  readonly id: string;
  readonly name: string;
  readonly isEnforced: boolean;
  /** How many sides it takes to violate it: 2 where it is two-sided. */
  readonly atLeast: number;
}

/** All policies, enforced or not, as written: with the items that the catalogue lacks. */
export interface LintRulebook {
  readonly catalogue: SodCatalogue;
  /** The access profiles of each role, by their numbers. */
  readonly roleProfiles: CsrRows;
  /** Numbered in code-unit order of their ids. */
  readonly policies: readonly LintedPolicy[];
  /** Policy `p` has the sides from `sideStarts[p]` up to, and without, `sideStarts[p + 1]`. */
  readonly sideStarts: Uint32Array;
  /** The items of each side, sorted and unique: numbers of the catalogue, and above these of what it lacks. */
  readonly sides: CsrRows;
  /** The ids of the items that the catalogue lacks. */
  readonly lost: readonly string[];
}

/** About the work of one millisecond. */
export const LINT_STEP_WORK = 0x1000;

/** So many numbers are passed over in the time that it takes to look up one id. */
export const LIGHT = 16;

/** How many items there are, those that the catalogue lacks among them. */
export const itemEnd = ({ catalogue, lost }: LintRulebook): number => idCount(catalogue.numbers.ids) + lost.length;

/** The numbers of all policies, or of those that are enforced, in order. */
export function policyNumbers({ policies }: LintRulebook, which: 'all' | 'enforced'): readonly number[] {
  const numbers: number[] = [];
  for (let policy = 0; policy < policies.length; policy++)
    if (which === 'all' || policies[policy]?.isEnforced) numbers.push(policy);
  return numbers;
}

/** The items of all sides of a policy, side by side: one that is on several comes several times. */
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
export const isLiving = ({ catalogue }: LintRulebook, item: number): boolean => item < idCount(catalogue.numbers.ids);

/** The id of an item. */
export const itemId = ({ catalogue: { numbers }, lost }: LintRulebook, item: number): string => {
  const count = idCount(numbers.ids);
  return item < count ? textAt(numbers.ids, item) : (lost[item - count] ?? '');
};
