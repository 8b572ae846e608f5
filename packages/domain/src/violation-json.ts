import { type MarkedAccess, tableOf } from './find-violated.ts';
import type { NumberRows } from './number-rows.ts';
import { entitlementAt, type SodCatalogue } from './sod-catalogue.ts';
import type { SodIndex } from './sod-index.ts';
import { policyAt } from './sod-policy-table.ts';

/** The JSON text of one violation, the very text that `JSON.stringify` makes of its context. */
export function violationJson(index: SodIndex, violated: number, access: MarkedAccess): string {
  const { table, number } = tableOf(index, violated);
  const left = { rows: table.sides, row: number * 2 };
  const right = { rows: table.sides, row: number * 2 + 1 };
  const preexisting = isHeld(left, access) && isHeld(right, access);
  return `${policyAt(table, number).json}${preexisting},"conflictingAccessCriteria":{"leftCriteria":{"criteriaList":[${itemsJson(
    index.catalogue,
    left,
    access,
  )}]},"rightCriteria":{"criteriaList":[${itemsJson(index.catalogue, right, access)}]}}}`;
}

interface Side {
  readonly rows: NumberRows;
  readonly row: number;
}

function isHeld({ rows: { starts, values }, row }: Side, { marks, heldMark }: MarkedAccess): boolean {
  const end = starts[row + 1] ?? 0;
  for (let at = starts[row] ?? 0; at < end; at++) if (marks[values[at] ?? 0] === heldMark) return true;
  return false;
}

function itemsJson(catalogue: SodCatalogue, side: Side, { marks, heldMark }: MarkedAccess): string {
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
