import type { CoveringException, ViolationItem } from '../../predictions/violation-context.ts';
import {
  isItemHeld,
  placeOfItem,
  type ReportedSides,
  type ReportPolicy,
  type SodReportChange,
} from '../../sod/index.ts';
import type { SodReportViolation } from './report.ts';

/** A violation as reports store it. */
export interface ReportLine {
  readonly identityId: string;
  readonly displayName: string | null;
  readonly change: SodReportChange;
  readonly exception: CoveringException | null;
  /** The codes of the items shown: those held are existing. */
  readonly items: readonly number[];
}

/** A violation as answers show it: with the items of the policy before the change if the violation has ended, otherwise after it. */
export function showReportLine(policy: ReportPolicy, line: ReportLine): SodReportViolation {
  const { change, identityId, displayName, exception } = line;
  return {
    change,
    identityId,
    displayName,
    policyId: policy.policyId,
    policyName: policy.name,
    level: policy.level,
    conflictingAccessCriteria: conflictShown(policy, line),
    exception,
  };
}

/** The items of a violation, by the sides of its policy. */
export function conflictShown(
  { before, after }: Pick<ReportPolicy, 'before' | 'after'>,
  { change, items }: Pick<ReportLine, 'change' | 'items'>,
): SodReportViolation['conflictingAccessCriteria'] {
  return conflictOf((change === 'gone' ? before : after) ?? before ?? NO_SIDES, items);
}

const NO_SIDES: ReportedSides = { atLeast: null, sides: [] };

function conflictOf(
  { atLeast, sides }: ReportedSides,
  shown: readonly number[],
): SodReportViolation['conflictingAccessCriteria'] {
  const existingByPlace = new Map(shown.map((item) => [placeOfItem(item), isItemHeld(item)]));
  let place = 0;
  const lists = sides.map(({ name, items }) => ({
    name,
    criteriaList: items.flatMap(([id, itemName]): ViolationItem[] => {
      const existing = existingByPlace.get(place++);
      return existing === undefined ? [] : [{ type: 'ENTITLEMENT', id, name: itemName, existing }];
    }),
  }));
  if (atLeast !== null) return { criteria: lists.filter(({ criteriaList }) => criteriaList.length > 0), atLeast };
  const [left, right] = lists.map(({ criteriaList }) => ({ criteriaList }));
  return { leftCriteria: left ?? { criteriaList: [] }, rightCriteria: right ?? { criteriaList: [] } };
}
