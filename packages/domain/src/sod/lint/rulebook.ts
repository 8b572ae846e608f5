import type { Rows } from '../collections/rows.ts';
import type { SodCatalogue } from '../rulebook/catalogue.ts';

/** A policy as it is written. */
export interface LintedPolicy {
  readonly id: string;
  readonly name: string;
  readonly isEnforced: boolean;
  /** How many sides violate it: 2 for a two-sided policy, 1 for a critical-access policy. */
  readonly atLeast: number;
  /** The items of each side, sorted and unique: numbers of the catalogue, and above them those of unresolved items. */
  readonly sides: readonly (readonly number[])[];
}

/**
 * All policies as they are written, enforced or not. The form that predictions use lacks what lint is about: policies that
 * are not enforced, and items that the catalogue does not have.
 */
export interface LintRulebook {
  readonly catalogue: SodCatalogue;
  /** The access profiles of each role, by their numbers. */
  readonly roleProfiles: Rows;
  /** Numbered in code-unit order of their ids. */
  readonly policies: readonly LintedPolicy[];
  /** The ids of the items that the catalogue lacks. */
  readonly unresolved: readonly string[];
}

/** One more than the highest item number, unresolved items included. */
export const itemEnd = ({ catalogue, unresolved }: LintRulebook): number =>
  catalogue.entitlements.length + unresolved.length;

/** The policy of a number. */
export function policyOf({ policies }: LintRulebook, number: number): LintedPolicy {
  const policy = policies[number];
  if (policy === undefined) throw new Error(`The rulebook has no policy ${number}.`);
  return policy;
}

/** The numbers of the enforced policies, ascending. */
export const enforcedPolicies = ({ policies }: LintRulebook): readonly number[] =>
  [...policies.keys()].filter((policy) => policies[policy]?.isEnforced);

/** Whether the catalogue has an item. */
export const isResolved = ({ catalogue }: LintRulebook, item: number): boolean => item < catalogue.entitlements.length;

/** The id of an item. */
export const itemId = ({ catalogue: { entitlements }, unresolved }: LintRulebook, item: number): string =>
  entitlements[item]?.id ?? unresolved[item - entitlements.length] ?? '';
