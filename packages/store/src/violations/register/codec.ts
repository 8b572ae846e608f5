import {
  type AppliedControl,
  type ConflictingCriterion,
  type NamedRef,
  type SodViolation,
  type SodViolationStatus,
  violationLevelOf,
  violationNameOf,
} from '@access-admin/domain';
import type { SodViolationRow } from '../../schema/tables.ts';

/** What a shown violation takes from elsewhere than its row. */
export interface ViolationView {
  /** The register's moment. */
  readonly asOf: string;
  /** Null where there is no owner, or that of a violation that lasts no longer exists. */
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

/**
 * Writes violations as `rowToViolationJson` does. Of consecutive ones that differ only in their id, their identity and their
 * items, the rest is written once.
 */
export function createViolationWriter(): typeof rowToViolationJson {
  let model: { readonly row: SodViolationRow; readonly view: ViolationView; readonly parts: readonly string[] } | null =
    null;
  return (row, view) => {
    if (model === null || !isAlike(model, { row, view })) model = { row, view, parts: partsOf(row, view) };
    const [start = '', named, identified, targeted, criteria, end] = model.parts;
    if (model.parts.length !== PARTS) return rowToViolationJson(row, view);
    const name = escapeText(row.target_name);
    const id = row.identity_id === row.target_name ? name : escapeText(row.identity_id);
    return `${start}${row.id}${named}${name}${identified}${id}${targeted}${name}${criteria}${row.criteria}${end}`;
  };
}

const HOLE = '\0';
const ESCAPED_HOLE = JSON.stringify(HOLE).slice(1, -1);
const PARTS = 6;

const escapeText = (text: string): string => JSON.stringify(text).slice(1, -1);

/** A violation as JSON text between its id, its name, its identity's id and name, and its criteria. More parts if another text has a hole. */
function partsOf(row: SodViolationRow, view: ViolationView): readonly string[] {
  const holes = { ...row, id: HOLE, identity_id: HOLE, target_name: HOLE };
  const text = JSON.stringify(showViolation(holes, view, HOLE));
  return text.replace(`"${ESCAPED_HOLE}","exception"`, `${ESCAPED_HOLE},"exception"`).split(ESCAPED_HOLE);
}

const ALIKE = [
  ...(['policy_id', 'policy_name', 'status', 'level_rank', 'created', 'modified', 'closed', 'owner_id'] as const),
  ...(['exception_id', 'expiration'] as const),
];

interface Shown {
  readonly row: SodViolationRow;
  readonly view: ViolationView;
}

const isAlike = (one: Shown, other: Shown): boolean =>
  ALIKE.every((column) => one.row[column] === other.row[column]) &&
  one.view.owner?.id === other.view.owner?.id &&
  one.view.owner?.name === other.view.owner?.name &&
  one.view.asOf === other.view.asOf &&
  one.view.appliedControls.length + other.view.appliedControls.length === 0;

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
  ...(owner === null ? {} : { owner }),
  conflictingCriteria,
  exception: row.exception_id === null ? null : { id: row.exception_id, end: row.expiration ?? '' },
  appliedControls,
  expiration: row.expiration,
});
