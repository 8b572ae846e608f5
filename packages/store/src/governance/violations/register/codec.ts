import {
  type AppliedControl,
  type ConflictingCriterion,
  type NamedRef,
  type SodViolation,
  type SodViolationStatus,
  violationLevelOf,
  violationNameOf,
} from '@access-admin/domain';
import type { SodViolationRow } from '../../../schema/tables.ts';

/** What a shown violation takes from elsewhere than its row. */
export interface ViolationView {
  /** The register's moment. */
  readonly asOf: string;
  /** Null where there is no owner, or that of a violation that lasts no longer exists. */
  readonly owner: NamedRef<'IDENTITY'> | null;
  readonly appliedControls: readonly AppliedControl[];
}

/** A violation as answers show it. */
export const rowToViolation = (
  row: SodViolationRow,
  { asOf, owner, appliedControls }: ViolationView,
): SodViolation => ({
  id: row.id,
  name: violationNameOf(row.policy_name, row.target_name),
  status: row.status as SodViolationStatus,
  level: violationLevelOf(row.level_rank),
  created: row.created,
  modified: row.modified,
  closed: row.closed,
  // An ended violation was evaluated for the last time when it ended.
  lastEvaluatedDate: row.closed ?? asOf,
  target: { type: 'IDENTITY' as const, id: row.identity_id, name: row.target_name },
  policy: { type: 'SOD_POLICY' as const, id: row.policy_id, name: row.policy_name },
  ...(owner === null ? {} : { owner }),
  conflictingCriteria: JSON.parse(row.criteria) as readonly ConflictingCriterion[],
  exception: row.exception_id === null ? null : { id: row.exception_id, end: row.expiration ?? '' },
  appliedControls,
  expiration: row.expiration,
});
