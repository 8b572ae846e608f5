import type { Entitlements } from '../evaluation/access.ts';

/** A ref that an identity holds at the moment of a plan. */
export interface PlannedRef {
  /** Numbers of what it gives, below the `entitlementCount` of the plan. */
  readonly entitlements: Entitlements;
  /** Whether it grants more than itself, as a role or an access profile. */
  readonly isBundle: boolean;
  /** A plan never takes it. */
  readonly isProtected: boolean;
}

/** A violation to end: it lasts for as long as items of `atLeast` of its sides are held. */
export interface PlannedViolation {
  /** The items held, by each side of which any is held. */
  readonly sides: readonly (readonly number[])[];
  readonly atLeast: number;
}

/** An identity with violations to end. */
export interface PlannedIdentity {
  /** In order of their ids, each ref once. */
  readonly refs: readonly PlannedRef[];
  readonly violations: readonly PlannedViolation[];
}

/** How many of its holders may lose an entitlement. */
export type SpareHolders = (entitlement: number) => number;

/** Why a violation stays. */
export const UNSOLVABLE_REASONS = ['ROLE_VIOLATES_ITSELF', 'LAST_HOLDER', 'PROTECTED'] as const;
export type UnsolvableReason = (typeof UNSOLVABLE_REASONS)[number];

/** What a plan does to an identity. */
export interface FixedIdentity {
  /** The refs that it loses, by their places, ascending. */
  readonly taken: readonly number[];
  /** Why each violation stays; null for those that end. */
  readonly reasons: readonly (UnsolvableReason | null)[];
}

/** The fewest revocations that end as many violations as possible, or nearly so. */
export interface FixPlan {
  readonly identities: readonly FixedIdentity[];
  /** The number of revocations that the best plan needs at least. */
  readonly lowerBound: number;
  /** No plan ends more violations, and none that ends as many needs fewer revocations. */
  readonly isOptimal: boolean;
}
