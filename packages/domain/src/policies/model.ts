import type { Attributes } from '../access/model/attributes.ts';
import type { IdentityRef } from '../access/model/owner.ts';

/** One conflicting item of a policy. `name` is informative: answers show the current name of the catalogue. */
export interface SodPolicyItem {
  readonly type: 'ENTITLEMENT';
  readonly id: string;
  readonly name?: string | null;
}

/** One side of a policy: an identity is on it when it has at least one of the items. */
export interface SodCriteria {
  readonly name: string | null;
  readonly criteriaList: readonly SodPolicyItem[];
}

/** The criteria of a two-sided policy: no identity may be on both sides. */
export interface TwoSidedCriteria {
  readonly leftCriteria: SodCriteria;
  readonly rightCriteria: SodCriteria;
}

/**
 * The criteria of a k-of-n policy: no identity may be on `atLeast` of the sides or more. With one side it is a critical-access
 * policy: `atLeast` is 1, so that any one item is a violation.
 */
export interface KOfNCriteria {
  readonly criteria: readonly SodCriteria[];
  readonly atLeast: number;
}

/** The criteria of a policy of either form. */
export type ConflictingAccessCriteria = TwoSidedCriteria | KOfNCriteria;

/** Whether these are the criteria of a k-of-n policy. */
export const isKOfN = (criteria: ConflictingAccessCriteria): criteria is KOfNCriteria => 'criteria' in criteria;

/** The sides of a policy of either form, left before right. */
export const sidesOf = (criteria: ConflictingAccessCriteria): readonly SodCriteria[] =>
  isKOfN(criteria) ? criteria.criteria : [criteria.leftCriteria, criteria.rightCriteria];

/** The criteria with each side replaced by the result of `change`. */
export const mapSides = (
  criteria: ConflictingAccessCriteria,
  change: (side: SodCriteria) => SodCriteria,
): ConflictingAccessCriteria =>
  isKOfN(criteria)
    ? { criteria: criteria.criteria.map(change), atLeast: criteria.atLeast }
    : { leftCriteria: change(criteria.leftCriteria), rightCriteria: change(criteria.rightCriteria) };

/** On how many sides a holder must be to violate a policy of either form: on both of a two-sided one. */
export const atLeastOf = (criteria: ConflictingAccessCriteria): number => (isKOfN(criteria) ? criteria.atLeast : 2);

/** The states of a policy: only an enforced one is evaluated. */
export const SOD_POLICY_STATES = ['ENFORCED', 'NOT_ENFORCED'] as const;
export type SodPolicyState = (typeof SOD_POLICY_STATES)[number];

/** The severity of a violation. */
export const SOD_POLICY_LEVELS = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'] as const;
/** The level of a policy of which none is said. */
export const SOD_POLICY_LEVEL_DEFAULT = 'HIGH';
export type SodPolicyLevel = (typeof SOD_POLICY_LEVELS)[number];

/** A reference that is kept and shown as it was sent. What it refers to may be unknown here, unless it is a control. */
export type KeptRef = Readonly<Record<string, string | number | boolean | null>>;

/** The rules by which a policy finds the owners of its new violations. */
export const OWNER_ASSIGNMENT_RULES = ['MANAGER', 'STATIC'] as const;

/** How a policy finds the owners of its new violations, as it was sent. */
export interface ViolationOwnerAssignment {
  readonly assignmentRule?: (typeof OWNER_ASSIGNMENT_RULES)[number] | null;
  readonly ownerRef?: KeptRef | null;
}

/**
 * The id of the identity that an assignment names as the owner of new violations; null where it names none. Groups own nothing
 * here, and managers are not known.
 */
export function assignedOwnerId(assignment: ViolationOwnerAssignment | null): string | null {
  const { assignmentRule, ownerRef } = assignment ?? {};
  const id = ownerRef?.['id'];
  return assignmentRule === 'STATIC' && ownerRef?.['type'] === 'IDENTITY' && typeof id === 'string' ? id : null;
}

/** The ids of the controls that a policy allows, and their paths. A reference without an id names no control. */
export const allowedControlsOf = ({
  allowedControls,
}: Pick<SodPolicy, 'allowedControls'>): readonly { readonly id: string; readonly at: string }[] =>
  (allowedControls ?? []).flatMap(({ id }, index) =>
    typeof id === 'string' ? { id, at: `allowedControls[${index}].id` } : [],
  );

/** What a policy has where nothing is said of it. */
export const UNSET_POLICY_FIELDS = {
  attributes: {},
  externalId: null,
  scheduled: false,
  violationOwnerAssignmentConfig: null,
  secondaryOwnerRefs: null,
  allowedControls: null,
} as const satisfies Partial<SodPolicy>;

/** A separation-of-duties policy: no identity may have an item of both sides, or of `atLeast` sides, or of its only side. */
export interface SodPolicy {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly state: SodPolicyState;
  readonly level: SodPolicyLevel;
  readonly type: 'CONFLICTING_ACCESS_BASED';
  readonly conflictingAccessCriteria: ConflictingAccessCriteria;
  readonly externalPolicyReference: string | null;
  readonly compensatingControls: string | null;
  readonly correctionAdvice: string | null;
  readonly tags: readonly string[];
  /** The owner of its violations. `name` is informative: answers show the present name. */
  readonly ownerRef: IdentityRef | null;
  readonly attributes: Attributes;
  /** Its id in another system. */
  readonly externalId: string | null;
  /** Kept for callers of SailPoint; nothing runs by it here. */
  readonly scheduled: boolean;
  /** The rule that assigns owners to new violations; where it is null or finds no owner, `ownerRef` owns them. */
  readonly violationOwnerAssignmentConfig: ViolationOwnerAssignment | null;
  /** Kept for callers of SailPoint, as they were sent. */
  readonly secondaryOwnerRefs: readonly KeptRef[] | null;
  /** Kept as sent; these controls must exist. */
  readonly allowedControls: readonly KeptRef[] | null;
  /** The identity that created it and changed it last, or the client where an application did. */
  readonly creatorId: string | null;
  readonly modifierId: string | null;
  /** ISO 8601 in UTC with milliseconds. */
  readonly created: string;
  readonly modified: string;
}

/** What an evaluation needs of a policy. */
export interface EvaluatedPolicy
  extends Pick<SodPolicy, 'id' | 'name' | 'state' | 'level' | 'conflictingAccessCriteria'> {
  /** The digest of what an exception from it is approved for, for evaluations that count exceptions. */
  readonly terms?: string;
}

/** Whether a policy is evaluated. */
export const isEnforced = ({ state }: Pick<SodPolicy, 'state'>): boolean => state === 'ENFORCED';

/** The most items of one side of a policy. */
export const SOD_POLICY_ITEMS_MAX = 50;

/** The most sides of a k-of-n policy. */
export const SOD_POLICY_SIDES_MAX = 10;

/** The least that `atLeast` can be of a policy with several sides; of a policy with one side it is 1. */
export const SOD_POLICY_AT_LEAST_MIN = 2;
