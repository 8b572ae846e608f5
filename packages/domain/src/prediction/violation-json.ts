import { tableOf } from '../evaluation/find-violated.ts';
import { isHeld, type MarkedAccess, type SideRow } from '../evaluation/marked-access.ts';
import { entitlementAt, type SodCatalogue } from '../rulebook/catalogue.ts';
import { sideNameAt } from '../rulebook/k-of-n-policies.ts';
import { type KOfNPolicy, kOfNAt, policyAt } from '../rulebook/policy-table.ts';
import type { SodIndex } from '../rulebook/sod-index.ts';

/** The JSON text of one violation, the very text that `JSON.stringify` makes of its context. */
export function violationJson(index: SodIndex, violated: number, access: MarkedAccess): string {
  const { table, number } = tableOf(index, violated);
  const wide = kOfNAt(table, number);
  if (wide !== null) return policyAt(table, number).json + wideViolationJson(index.catalogue, wide, access);
  const left = { rows: table.sides, row: number * 2 };
  const right = { rows: table.sides, row: number * 2 + 1 };
  const preexisting = isHeld(left, access) && isHeld(right, access);
  return `${policyAt(table, number).json}${preexisting},"conflictingAccessCriteria":{"leftCriteria":{"criteriaList":[${itemsJson(
    index.catalogue,
    left,
    access,
  )}]},"rightCriteria":{"criteriaList":[${itemsJson(index.catalogue, right, access)}]}}}`;
}

function wideViolationJson(catalogue: SodCatalogue, { wide, place }: KOfNPolicy, access: MarkedAccess): string {
  const end = wide.sideStarts[place + 1] ?? 0;
  const atLeast = wide.atLeast[place] ?? 0;
  let heldSides = 0;
  let json = '';
  for (let row = wide.sideStarts[place] ?? 0; row < end; row++) {
    const side = { rows: wide.sides, row };
    const items = itemsJson(catalogue, side, access);
    if (items === '') continue;
    if (isHeld(side, access)) heldSides++;
    json += `${json === '' ? '' : ','}{"name":${JSON.stringify(sideNameAt(wide, row))},"criteriaList":[${items}]}`;
  }
  return `${heldSides >= atLeast},"conflictingAccessCriteria":{"criteria":[${json}],"atLeast":${atLeast}}}`;
}

function itemsJson(catalogue: SodCatalogue, side: SideRow, { marks, heldMark }: MarkedAccess): string {
  const { starts, values } = side.rows;
  let json = '';
  const end = starts[side.row + 1] ?? 0;
  for (let at = starts[side.row] ?? 0; at < end; at++) {
    const number = values[at] ?? 0;
    const mark = marks[number] ?? 0;
    if (mark < heldMark) continue;
    if (json !== '') json += ',';
    json += entitlementAt(catalogue, number).json;
    json += mark === heldMark ? 'true}' : 'false}';
  }
  return json;
}
