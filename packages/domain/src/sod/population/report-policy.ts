import type { SodPolicyLevel } from '../../policies/model.ts';
import { chosenItems } from '../evaluation/shown-items.ts';
import type { SodCatalogue } from '../rulebook/catalogue.ts';
import { isShownAsKOfN, type PolicyPlace, policyAt, policySidesAt, sideNamesAt } from '../rulebook/policy-table.ts';

/** How a violation changes. A scan has only `same` violations, a blast radius only `new` ones. */
export const SOD_REPORT_CHANGES = ['new', 'same', 'gone'] as const;
export type SodReportChange = (typeof SOD_REPORT_CHANGES)[number];

/** A policy as a report names it. */
export interface ReportedPolicy {
  readonly policyId: string;
  readonly name: string;
  readonly level: SodPolicyLevel;
}

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

/** Id, name and level of a policy. */
export function reportedPolicyAt(place: PolicyPlace): ReportedPolicy {
  const { id, name, level } = policyAt(place);
  return { policyId: id, name, level };
}

/** The sides of a policy with the names of the catalogue. */
export function reportedSidesAt(catalogue: SodCatalogue, place: PolicyPlace): ReportedSides {
  const names = sideNamesAt(place);
  const sides = chosenItems(catalogue, place, () => true).map((items, side) => ({
    name: names[side] ?? null,
    items: items.map(({ id, name }) => [id, name] as const),
  }));
  return { atLeast: isShownAsKOfN(place) ? policySidesAt(place).atLeast : null, sides };
}
