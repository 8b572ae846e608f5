import type { SodPolicy, SodPolicyLevel, SodPolicyState, SodViolationLevel } from '@access-admin/client';

/** The forms of a rule: both of two sides, some of several sides, or any item of one side. */
export const FORMS = ['TWO_SIDED', 'K_OF_N', 'CRITICAL'] as const;

export type Form = (typeof FORMS)[number];

/** The levels of a policy, the most severe first. */
export const LEVELS: readonly SodPolicyLevel[] = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'];

/** The levels of the violations of a policy. */
export const VIOLATION_LEVELS: Readonly<Record<SodPolicyLevel, SodViolationLevel>> = {
  CRITICAL: 'Critical',
  HIGH: 'High',
  MEDIUM: 'Medium',
  LOW: 'Low',
};

/** Whether a policy is enforced. */
export const STATES: readonly SodPolicyState[] = ['ENFORCED', 'NOT_ENFORCED'];

/** The form of a policy. */
export function formOf({ conflictingAccessCriteria: rule }: Pick<SodPolicy, 'conflictingAccessCriteria'>): Form {
  if (!('criteria' in rule)) return 'TWO_SIDED';
  return rule.criteria.length === 1 ? 'CRITICAL' : 'K_OF_N';
}
