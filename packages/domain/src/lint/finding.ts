import type { AccessRef } from '../access-model/records.ts';

/** What can be found in a rulebook, in the order in which findings are told. */
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

/** How grave a finding is: an `ERROR` where nobody can violate a policy, or nobody can have a bundle without a violation, else a `WARNING`. */
export const LINT_SEVERITIES = ['ERROR', 'WARNING'] as const;
export type LintSeverity = (typeof LINT_SEVERITIES)[number];

/** A policy as findings about another one name it. */
export interface RelatedPolicy {
  readonly type: 'SOD_POLICY';
  readonly id: string;
  readonly name: string;
}

/** What is odd about a policy. */
export interface PolicyFinding {
  readonly code: LintCode;
  readonly severity: LintSeverity;
  readonly policyId: string;
  /** The access item that it is about; null where it is about the whole policy. */
  readonly ref: AccessRef | null;
  /** The policies that it is compared with; empty where it is not. */
  readonly related: readonly RelatedPolicy[];
  readonly text: string;
}

/** The most policies that one finding names as related. */
export const RELATED_POLICIES_MAX = 10;

/** An item that the catalogue lacks. */
export const deletedItem = (policyId: string, id: string) =>
  ({
    code: 'DELETED_ITEM',
    severity: 'WARNING',
    policyId,
    ref: { type: 'ENTITLEMENT', id },
    related: [],
    text: `Policy ${policyId} names entitlement ${id}, which does not exist: the item matches nothing until it does.`,
  }) as const satisfies PolicyFinding;

/** A policy that the same access violates as the first of those that are alike. */
export const duplicatePolicy = (policyId: string, first: RelatedPolicy): PolicyFinding => ({
  code: 'DUPLICATE_POLICY',
  severity: 'WARNING',
  policyId,
  ref: null,
  related: [first],
  text: `Whoever violates policy ${policyId} violates policy ${first.id}, and the other way round: one of them is enough.`,
});

/** An item that counts for several sides at once. */
export const itemOnTwoSides = (policyId: string, id: string, sideCount: number): PolicyFinding => ({
  code: 'ITEM_ON_TWO_SIDES',
  severity: 'WARNING',
  policyId,
  ref: { type: 'ENTITLEMENT', id },
  related: [],
  text: `Policy ${policyId} has entitlement ${id} on ${sideCount} sides: whoever has it is on each of them.`,
});

/** A bundle whose holders all violate the policy. */
export const selfViolatingBundle = (policyId: string, ref: AccessRef): PolicyFinding => ({
  code: ref.type === 'ROLE' ? 'SELF_VIOLATING_ROLE' : 'SELF_VIOLATING_ACCESS_PROFILE',
  severity: 'ERROR',
  policyId,
  ref,
  related: [],
  text: `${ref.type === 'ROLE' ? 'Role' : 'Access profile'} ${ref.id} violates policy ${policyId} by itself: so does everybody who has it.`,
});

/** A policy that adds nothing to wider ones: the first of them, and how many there are in all. */
export const subsumedPolicy = (policyId: string, wider: readonly RelatedPolicy[], count: number): PolicyFinding => ({
  code: 'SUBSUMED_POLICY',
  severity: 'WARNING',
  policyId,
  ref: null,
  related: wider,
  text: `Whoever violates policy ${policyId} violates policy ${wider[0]?.id} too${count > 1 ? `, and ${count - 1} more` : ''}.`,
});

/** A policy that nobody can violate: how many of its sides have an item that exists, and how many it takes. */
export const unmatchablePolicy = (policyId: string, living: number, atLeast: number): PolicyFinding => ({
  code: 'UNMATCHABLE_POLICY',
  severity: 'ERROR',
  policyId,
  ref: null,
  related: [],
  text: `Policy ${policyId} takes ${atLeast} sides to violate, and has entitlements that exist on ${living}: nobody can violate it.`,
});
