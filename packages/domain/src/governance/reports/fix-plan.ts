import type { AccessRef } from '../../access/model/records.ts';
import type { SodPolicyLevel } from '../../policies/model.ts';
import type { RevokedAssignment } from '../../predictions/remediation.ts';
import type { UnsolvableReason } from '../../sod/index.ts';
import type { SodReportViolation } from './report.ts';

/** Asks for the revocations that end violations: those of these levels, policies and identities, or all where one is null. */
export interface FixPlanRequest {
  readonly levels: readonly SodPolicyLevel[] | null;
  readonly policyIds: readonly string[] | null;
  readonly identityIds: readonly string[] | null;
  /** How many of its holders each entitlement keeps at least, or all that it has where these are fewer. */
  readonly keepHolders: number;
  /** Refs that a plan never revokes. */
  readonly protect: readonly AccessRef[];
}

/** The most holders to be kept, and how many are kept without a wish. */
export const KEEP_HOLDERS_MAX = 10;
export const KEEP_HOLDERS_DEFAULT = 1;

/** A policy that a step ends the violation of. */
export interface FixedPolicy {
  readonly policyId: string;
  readonly policyName: string;
  readonly level: SodPolicyLevel;
}

/** What a step takes away: all assignments of the ref, whatever their windows. */
export interface FixRevocation extends RevokedAssignment {
  readonly name: string;
}

/** One revocation of a fix plan. */
export interface FixStep {
  /** From 1. */
  readonly step: number;
  readonly identityId: string;
  readonly displayName: string | null;
  readonly revoke: FixRevocation;
  /** The violations that are gone after this step and those before it. */
  readonly ends: readonly FixedPolicy[];
  /** The entitlements that the identity loses with it although no violation that the plan ends is about them. */
  readonly alsoLoses: readonly { readonly type: 'ENTITLEMENT'; readonly id: string; readonly name: string }[];
  /** When it was last handed over; left out before. */
  readonly handedOver?: string;
}

/** A violation that a fix plan leaves. */
export interface UnsolvableViolation
  extends Pick<
    SodReportViolation,
    'identityId' | 'displayName' | 'policyId' | 'policyName' | 'level' | 'conflictingAccessCriteria'
  > {
  readonly reason: UnsolvableReason;
}

/** A step that was handed over, for whoever carries it out. */
export interface RequestedFix extends Omit<FixStep, 'handedOver'> {
  readonly reportId: string;
  readonly comment: string | null;
}
