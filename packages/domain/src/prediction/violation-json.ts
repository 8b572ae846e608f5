import type { CsrRows } from '../collections/csr-rows.ts';
import type { MarkedAccess } from '../evaluation/evaluator.ts';
import type { FoundViolations } from '../evaluation/found-violations.ts';
import { entitlementAt, type SodCatalogue } from '../rulebook/catalogue.ts';
import { isShownAsKOfN, policyAt, policySidesAt, sideNameAt } from '../rulebook/policy-table.ts';
import { policyPlaceAt, type SodIndex } from '../rulebook/sod-index.ts';
import type { CoveredPolicies } from './covered-policies.ts';

/** The JSON text of a violation with the exception that covers it, the very text that `JSON.stringify` makes of its context. */
export function violationJson(
  index: SodIndex,
  found: FoundViolations,
  { place, covered }: { readonly place: number; readonly covered: CoveredPolicies | null },
): string {
  const { catalogue } = index;
  const policy = policyPlaceAt(index, found.policies[place] ?? 0);
  const named = policyAt(policy);
  const { rows, first, sideCount, atLeast } = policySidesAt(policy);
  const head = `${named.json}${found.isPreexisting(place)},"conflictingAccessCriteria":{`;
  const access = found.accessAt(place);
  const exception = covered?.get(named.policy.id);
  const end = exception === undefined ? '}}' : `},"exception":${JSON.stringify(exception)}}`;
  const show = { catalogue, rows, access };
  if (!isShownAsKOfN(policy)) {
    const right = `"rightCriteria":{"criteriaList":[${itemsJson(show, first + 1)}]}`;
    return `${head}"leftCriteria":{"criteriaList":[${itemsJson(show, first)}]},${right}${end}`;
  }
  let sides = '';
  for (let row = first; row < first + sideCount; row++) {
    const items = itemsJson(show, row);
    if (items === '') continue;
    const name = JSON.stringify(sideNameAt(policy.table, row));
    sides += `${sides === '' ? '' : ','}{"name":${name},"criteriaList":[${items}]}`;
  }
  return `${head}"criteria":[${sides}],"atLeast":${atLeast}${end}`;
}

interface Shown {
  readonly catalogue: SodCatalogue;
  readonly rows: CsrRows;
  readonly access: MarkedAccess;
}

function itemsJson({ catalogue, rows: { starts, values }, access: { marks, heldMark } }: Shown, row: number): string {
  let json = '';
  const end = starts[row + 1] ?? 0;
  for (let at = starts[row] ?? 0; at < end; at++) {
    const number = values[at] ?? 0;
    const mark = marks[number] ?? 0;
    if (mark < heldMark) continue;
    if (json !== '') json += ',';
    json += entitlementAt(catalogue, number).json;
    json += mark === heldMark ? 'true}' : 'false}';
  }
  return json;
}
