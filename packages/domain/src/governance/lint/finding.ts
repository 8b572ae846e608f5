import type { AccessRef } from '../../access/model/records.ts';

/** The kinds of finding, in the order in which findings are reported. */
export const LINT_CODES = [
  'DELETED_ITEM',
  'DUPLICATE_POLICY',
  'ITEM_ON_TWO_SIDES',
  'SELF_VIOLATING_ACCESS_PROFILE',
  'SELF_VIOLATING_ROLE',
  'SUBSUMED_POLICY',
  'UNMATCHABLE_POLICY',
] as const;
export type LintCode = (typeof LINT_CODES)[number];

/** `ERROR`: the policy cannot be violated, or a bundle combines its sides. `WARNING`: everything else. */
export const LINT_SEVERITIES = ['ERROR', 'WARNING'] as const;
export type LintSeverity = (typeof LINT_SEVERITIES)[number];

/** A policy as named by a finding about another policy. */
export interface RelatedPolicy {
  readonly type: 'SOD_POLICY';
  readonly id: string;
  readonly name: string;
}

/** A defect of a policy. */
export interface PolicyFinding {
  readonly code: LintCode;
  readonly severity: LintSeverity;
  readonly policyId: string;
  /** The entitlement or bundle concerned; null when the finding is about the whole policy. */
  readonly ref: AccessRef | null;
  /** The policies that the finding compares it with; empty for findings about one policy alone. */
  readonly related: readonly RelatedPolicy[];
  readonly text: string;
}

/** The finding about an item that the catalogue lacks. */
export const deletedItem = (policyId: string, id: string) =>
  ({
    code: 'DELETED_ITEM',
    severity: 'WARNING',
    policyId,
    ref: { type: 'ENTITLEMENT', id },
    related: [],
    text: `Policy ${policyId} names entitlement ${id}, which does not exist: the item cannot match until the entitlement exists.`,
  }) as const satisfies PolicyFinding;

/** The finding about a policy that equals an earlier one; `first` is the earliest. */
export const duplicatePolicy = (policyId: string, first: RelatedPolicy): PolicyFinding => ({
  code: 'DUPLICATE_POLICY',
  severity: 'WARNING',
  policyId,
  ref: null,
  related: [first],
  text: `Policy ${policyId} is violated exactly when policy ${first.id} is: one of them is enough.`,
});

/** The finding about an item that counts for several sides. */
export const itemOnTwoSides = (policyId: string, id: string, sideCount: number): PolicyFinding => ({
  code: 'ITEM_ON_TWO_SIDES',
  severity: 'WARNING',
  policyId,
  ref: { type: 'ENTITLEMENT', id },
  related: [],
  text: `Policy ${policyId} has entitlement ${id} on ${sideCount} sides: an identity that holds it is on each of them.`,
});

/**
 * The finding about a bundle that violates a policy by itself. Critical access is often granted by a bundle, so that one with
 * an item of a critical-access policy is not an error.
 */
export function selfViolatingBundle(policyId: string, ref: AccessRef, isCriticalAccess: boolean): PolicyFinding {
  const bundle = `${ref.type === 'ROLE' ? 'Role' : 'Access profile'} ${ref.id}`;
  return {
    code: ref.type === 'ROLE' ? 'SELF_VIOLATING_ROLE' : 'SELF_VIOLATING_ACCESS_PROFILE',
    severity: isCriticalAccess ? 'WARNING' : 'ERROR',
    policyId,
    ref,
    related: [],
    text: isCriticalAccess
      ? `${bundle} contains critical access of policy ${policyId}: every identity that holds it violates the policy.`
      : `${bundle} violates policy ${policyId} by itself: so does every identity that holds it.`,
  };
}

/** The finding about a policy that others subsume: the first of these, and how many there are in all. */
export const subsumedPolicy = (policyId: string, broader: readonly RelatedPolicy[], count: number): PolicyFinding => ({
  code: 'SUBSUMED_POLICY',
  severity: 'WARNING',
  policyId,
  ref: null,
  related: broader,
  text: `Every identity that violates policy ${policyId} also violates policy ${broader[0]?.id}${count > 1 ? ` and ${count - 1} more` : ''}.`,
});

/** The finding about a policy that cannot be violated: `sides` have an item that exists, and a violation takes `atLeast`. */
export const unmatchablePolicy = (policyId: string, sides: number, atLeast: number): PolicyFinding => ({
  code: 'UNMATCHABLE_POLICY',
  severity: 'ERROR',
  policyId,
  ref: null,
  related: [],
  text:
    atLeast === 1
      ? `Policy ${policyId} cannot match: none of its entitlements exists.`
      : `Policy ${policyId} cannot match: a violation takes ${atLeast} sides, and only ${sides} of its sides ${sides === 1 ? 'has' : 'have'} an entitlement that exists.`,
});
