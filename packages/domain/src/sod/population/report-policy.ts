import type { CoveringException, ViolationItem } from '../../predictions/violation-context.ts';
import { rowAt } from '../collections/csr-rows.ts';
import { entitlementAt, type SodCatalogue } from '../rulebook/catalogue.ts';
import { isShownAsKOfN, type PolicyPlace, policyAt, policySidesAt, sideNameAt } from '../rulebook/policy-table.ts';
import type { ReportedPolicy, SodReportChange, SodReportViolation } from './report.ts';

/** The sides of a policy as reports store them, as JSON: the items that the catalogue has, sorted by id. */
export interface ReportedSides {
  /** Null for a two-sided policy. */
  readonly atLeast: number | null;
  readonly sides: readonly { readonly name: string | null; readonly items: readonly (readonly [string, string])[] }[];
}

/** A policy as reports store it, before and after the change: null where it does not exist, equal where it does not change. */
export interface ReportPolicy extends ReportedPolicy {
  readonly before: ReportedSides | null;
  readonly after: ReportedSides | null;
}

/** A violation as reports store it. */
export interface ReportLine {
  readonly identityId: string;
  readonly displayName: string | null;
  readonly change: SodReportChange;
  readonly exception: CoveringException | null;
  /** For each item shown: its place among the items of all sides, times two, plus one where it is existing. */
  readonly items: readonly number[];
}

/** Id, name and level of a policy. */
export function reportedPolicyAt(place: PolicyPlace): ReportedPolicy {
  const { id, name, level } = policyAt(place);
  return { policyId: id, name, level };
}

/** The sides of a policy with the names of the catalogue. */
export function reportedSidesAt(catalogue: SodCatalogue, place: PolicyPlace): ReportedSides {
  const { rows, first, sideCount, atLeast } = policySidesAt(place);
  const sides = Array.from({ length: sideCount }, (_, side) => ({
    name: sideNameAt(place.table, first + side),
    items: Array.from(rowAt(rows, first + side), (entitlement) => {
      const { id, name } = entitlementAt(catalogue, entitlement);
      return [id, name] as const;
    }),
  }));
  return { atLeast: isShownAsKOfN(place) ? atLeast : null, sides };
}

/** A violation as answers show it: with the items of the policy before the change if the violation has ended, otherwise after it. */
export function showReportLine(policy: ReportPolicy, line: ReportLine): SodReportViolation {
  const { change, identityId, displayName, exception } = line;
  const sides = (change === 'gone' ? policy.before : policy.after) ?? policy.before ?? NO_SIDES;
  return {
    change,
    identityId,
    displayName,
    policyId: policy.policyId,
    policyName: policy.name,
    level: policy.level,
    conflictingAccessCriteria: conflictOf(sides, line.items),
    exception,
  };
}

const NO_SIDES: ReportedSides = { atLeast: null, sides: [] };

function conflictOf(
  { atLeast, sides }: ReportedSides,
  shown: readonly number[],
): SodReportViolation['conflictingAccessCriteria'] {
  const existingByPlace = new Map(shown.map((item) => [item >>> 1, (item & 1) === 1]));
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
