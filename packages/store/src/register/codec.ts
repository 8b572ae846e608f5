import {
  type AppliedControl,
  type ConflictingCriterion,
  type NamedRef,
  type SodViolation,
  type SodViolationStatus,
  violationLevelOf,
  violationNameOf,
} from '@access-admin/domain';
import type { SodViolationRow } from '../schema/tables.ts';

/** What a shown violation takes from elsewhere than its row. */
export interface ViolationView {
  /** The register's moment. */
  readonly asOf: string;
  /** Null where there is no owner, or the owner no longer exists. */
  readonly owner: NamedRef<'IDENTITY'> | null;
  readonly appliedControls: readonly AppliedControl[];
}

/** A violation as answers show it. */
export const rowToViolation = (row: SodViolationRow, view: ViolationView): SodViolation =>
  showViolation(row, view, JSON.parse(row.criteria) as readonly ConflictingCriterion[]);

/** The same as JSON text, without parsing the conflicting criteria. */
export const rowToViolationJson = (row: SodViolationRow, view: ViolationView): string =>
  // No text of a value contains the property: quotation marks in values are escaped.
  JSON.stringify(showViolation(row, view, null)).replace(
    '"conflictingCriteria":null',
    () => `"conflictingCriteria":${row.criteria}`,
  );

const showViolation = <Criteria>(
  row: SodViolationRow,
  { asOf, owner, appliedControls }: ViolationView,
  conflictingCriteria: Criteria,
) => ({
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
  owner,
  conflictingCriteria,
  exception: row.exception_id === null ? null : { id: row.exception_id, end: row.expiration ?? '' },
  appliedControls,
  expiration: row.expiration,
});
