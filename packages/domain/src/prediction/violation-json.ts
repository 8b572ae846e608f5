import type { CsrRows } from '../collections/csr-rows.ts';
import type { MarkedAccess } from '../evaluation/evaluator.ts';
import { accessAt, type FoundViolations, isPreexisting } from '../evaluation/found-violations.ts';
import { isViolatedOn } from '../evaluation/is-violated.ts';
import { entitlementAt, type SodCatalogue } from '../rulebook/catalogue.ts';
import { isShownAsKOfN, policyAt, policySidesAt, sideNameAt } from '../rulebook/policy-table.ts';
import { policyPlaceAt, type SodIndex } from '../rulebook/sod-index.ts';

/** The JSON text of a violation; equal to `JSON.stringify` of its context. */
export function violationJson(index: SodIndex, found: FoundViolations, place: number): string {
  const policy = policyPlaceAt(index, found.policies[place] ?? 0);
  const named = policyAt(policy);
  const sides = policySidesAt(policy);
  const { rows, first, sideCount, atLeast } = sides;
  const shown = { catalogue: index.catalogue, rows, first, access: accessAt(found, place), heldSides: 0 };
  let conflict = '';
  if (isShownAsKOfN(policy)) {
    for (let side = 0; side < sideCount; side++) {
      const items = itemsJson(shown, side);
      if (items === '') continue;
      const name = JSON.stringify(sideNameAt(policy.table, first + side));
      conflict += `${conflict === '' ? '' : ','}{"name":${name},"criteriaList":[${items}]}`;
    }
    conflict = `"criteria":[${conflict}],"atLeast":${atLeast}`;
  } else {
    conflict = `"leftCriteria":{"criteriaList":[${itemsJson(shown, 0)}]},"rightCriteria":{"criteriaList":[${itemsJson(shown, 1)}]}`;
  }
  const preexisting = isPreexisting(found, place) ?? isViolatedOn(sides, shown.heldSides);
  return `${named.json}${preexisting},"conflictingAccessCriteria":{${conflict}}}`;
}

/** The id of the violated policy. */
export const policyIdAt = (index: SodIndex, found: FoundViolations, place: number): string =>
  policyAt(policyPlaceAt(index, found.policies[place] ?? 0)).policy.id;

interface Shown {
  readonly catalogue: SodCatalogue;
  readonly rows: CsrRows;
  readonly first: number;
  readonly access: MarkedAccess;
  /** A bit for each side with an item that is held. */
  heldSides: number;
}

function itemsJson(shown: Shown, side: number): string {
  const { catalogue, first } = shown;
  const { starts, values } = shown.rows;
  const { marks, heldMark } = shown.access;
  let json = '';
  const end = starts[first + side + 1] ?? 0;
  for (let at = starts[first + side] ?? 0; at < end; at++) {
    const number = values[at] ?? 0;
    const mark = marks[number] ?? 0;
    if (mark < heldMark) continue;
    if (mark === heldMark) shown.heldSides |= 1 << side;
    if (json !== '') json += ',';
    json += entitlementAt(catalogue, number).json;
    json += mark === heldMark ? 'true}' : 'false}';
  }
  return json;
}
