import type { SodPolicy } from '../policies/model.ts';
import type { ViolatedPolicy } from '../sod/index.ts';
import type { PendingRef } from './pending.ts';
import type { AccessReason } from './reasons.ts';
import type { Remediation } from './remediation.ts';

/** An item of a violated policy that the identity would have, with its reason if requested. */
export interface ViolationItem extends Partial<AccessReason> {
  readonly type: 'ENTITLEMENT';
  readonly id: string;
  /** The catalogue's name today. */
  readonly name: string;
  /** Whether the identity had it before. */
  readonly existing: boolean;
  /** The live reservations by which alone it comes, if reservations were included. */
  readonly pending?: readonly PendingRef[];
}

/** The items of one side that the identity would have, sorted by id. */
export interface ViolationSide {
  readonly criteriaList: readonly ViolationItem[];
}

/** The conflicting items in a violation of a two-sided policy. */
export interface TwoSidedConflict {
  readonly leftCriteria: ViolationSide;
  readonly rightCriteria: ViolationSide;
}

/** A side of a k-of-n policy in a violation. */
export interface NamedViolationSide extends ViolationSide {
  readonly name: string | null;
}

/** The conflicting sides in a violation of a k-of-n policy: those that the identity would be on, in the policy's order. */
export interface KOfNConflict {
  readonly criteria: readonly NamedViolationSide[];
  /** The number of sides that makes a violation. */
  readonly atLeast: number;
}

/** A policy's advice on its violations. */
export type PolicyAdvice = Pick<SodPolicy, 'correctionAdvice' | 'compensatingControls'>;

/** The exception that covers a violation. */
export interface CoveringException {
  readonly id: string;
  readonly end: string;
}

/**
 * How approved exceptions cover the violating moments of a prediction: one covers all of them, or a part until `exceptionEnds`, or
 * none because its window has none of them, or because the requested access adds an item that was not approved, which ends it.
 */
export type ViolationCoverage =
  | { readonly exception: CoveringException }
  | { readonly exception: null; readonly exceptionEnds: string | null };

/** A violated policy by id and name. */
export type ViolatedPolicyRef = Pick<ViolatedPolicy, 'type' | 'id' | 'name'>;

/** One violation that the requested access would cause, with the policy's advice if reasons were requested. */
export interface ViolationContext extends Partial<PolicyAdvice> {
  readonly policy: ViolatedPolicy;
  /** True when held access alone already violated the policy: the grant deepens a violation instead of creating one. */
  readonly preexisting: boolean;
  readonly conflictingAccessCriteria: TwoSidedConflict | KOfNConflict;
  /**
   * The approved exception that covers all violating moments; null where there is one that does not, or that the requested access
   * ends; left out where there is none.
   */
  readonly exception?: CoveringException | null;
  /** When the exception ends that covers a part. */
  readonly exceptionEnds?: string;
}

/** The violations that the requested access would cause, sorted by policy id in code-unit order. */
export interface ViolationPrediction {
  /** The first ones: at most 10,000, or 1,000 with optional parts. */
  readonly violationContexts: readonly ViolationContext[];
  /** The number of all violations. Only where some are left out. */
  readonly violationCount?: number;
  /** The number of violations that `violationContexts` leaves out. Only where some are. */
  readonly omitted?: number;
  /** All violated policies. Only where violations are left out. */
  readonly violatedPolicies?: readonly ViolatedPolicyRef[];
  /** Only if it was requested. */
  readonly remediation?: Remediation;
}
