import type { NamedRef } from '../../access/model/named-ref.ts';
import type { SodPolicyLevel } from '../../policies/model.ts';
import type { AppliedControl } from '../controls/applied.ts';

/** The statuses of a violation: the first two while it lasts, the others once it has ended. */
export const SOD_VIOLATION_STATUSES = ['Open', 'Mitigated', 'Remediated', 'Closed'] as const;
export type SodViolationStatus = (typeof SOD_VIOLATION_STATUSES)[number];

/** The severities of a violation as answers show them, by rank from 1 (`Low`) to 4 (`Critical`). */
export const SOD_VIOLATION_LEVELS = ['Low', 'Medium', 'High', 'Critical'] as const;
export type SodViolationLevel = (typeof SOD_VIOLATION_LEVELS)[number];

/** A held side of a violated policy with the items of it that are held. */
export interface ConflictingCriterion {
  readonly name: string;
  readonly conflictingItems: readonly NamedRef<'ENTITLEMENT'>[];
}

/** A violation as answers show it, its properties in their order. Times are ISO 8601 in UTC with milliseconds. */
export interface SodViolation {
  readonly id: string;
  readonly name: string;
  readonly status: SodViolationStatus;
  readonly level: SodViolationLevel;
  readonly created: string;
  readonly modified: string;
  /** Null while it lasts. */
  readonly closed: string | null;
  readonly lastEvaluatedDate: string;
  readonly target: NamedRef<'IDENTITY'>;
  readonly policy: NamedRef<'SOD_POLICY'>;
  /** Left out where there is none. */
  readonly owner?: NamedRef<'IDENTITY'>;
  /** The held sides, in policy order. */
  readonly conflictingCriteria: readonly ConflictingCriterion[];
  /** The exception that covers it. */
  readonly exception: { readonly id: string; readonly end: string } | null;
  readonly appliedControls: readonly AppliedControl[];
  readonly expiration: string | null;
}

const RANKS: Readonly<Record<SodPolicyLevel, number>> = { LOW: 1, MEDIUM: 2, HIGH: 3, CRITICAL: 4 };

/** The rank of a policy's level, from 1 for low to 4 for critical. */
export const levelRankOf = (level: SodPolicyLevel): number => RANKS[level];

/** The level of a violation by its rank. */
export const violationLevelOf = (rank: number): SodViolationLevel => SOD_VIOLATION_LEVELS[rank - 1] ?? 'Low';

/** The name of a violation. */
export const violationNameOf = (policyName: string, targetName: string): string => `${policyName}: ${targetName}`;
