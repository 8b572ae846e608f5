import { type CsrRows, createRowWriter, endRow, pushNumber, type RowWriter, rowsOf } from '../collections/csr-rows.ts';
import { createEpochSet, type EpochSet } from '../collections/epoch-set.ts';
import { findId, type IdDictionary, idCount } from '../collections/id-dictionary.ts';
import { invertRows } from '../collections/invert-rows.ts';
import { encodeTexts, type StringTable, textAt } from '../collections/string-table.ts';
import type { KOfNCriteria, SodCriteria } from '../policy/model.ts';
import { isPauseDue, type Steps, type WorkBudget } from '../steps/work-budget.ts';
import type { SodCatalogue } from './catalogue.ts';

/** The k-of-n policies of a table, each at a place of its own, in order of their numbers. */
export interface KOfNPolicies {
  /** The number that the policy of each place has in the table, ascending. */
  readonly numbers: Uint32Array;
  /** On how many sides of it an identity must be to violate the policy of a place. */
  readonly atLeast: Uint8Array;
  /** The policy of place `p` has the sides from `sideStarts[p]` up to, and without, `sideStarts[p + 1]`. */
  readonly sideStarts: Uint32Array;
  /** The names of the sides as `sideNameAt` reads them. */
  readonly sideNames: StringTable;
  /** The entitlements of each side, sorted and unique; those that the catalogue lacks are left out. */
  readonly sides: CsrRows;
  /** The place of each side's policy. */
  readonly places: Uint32Array;
  /** For each entitlement the sides that it is on. */
  readonly sidesByEntitlement: CsrRows;
  /** How many sides the policy with the most has. */
  readonly sideCountMax: number;
  /** One mark per policy. */
  readonly judged: EpochSet;
}

/** The parts that everything else follows from, together with the number of entitlements; there may be no policy in them. */
export type KOfNPolicyParts = Pick<KOfNPolicies, 'numbers' | 'atLeast' | 'sideStarts' | 'sideNames' | 'sides'>;

/** The parts in the making. */
export interface KOfNWriter {
  readonly numbers: number[];
  readonly atLeast: number[];
  readonly sideStarts: number[];
  readonly sideNames: (string | null)[];
  readonly sides: RowWriter;
}

/** A writer without a policy. */
export const createKOfNWriter = (): KOfNWriter => ({
  numbers: [],
  atLeast: [],
  sideStarts: [0],
  sideNames: [],
  sides: createRowWriter(),
});

/** Adds the policy of the next number, its items looked up in the catalogue's ids. */
export function addKOfNPolicy(
  writer: KOfNWriter,
  { number, criteria: { criteria, atLeast }, ids }: { number: number; criteria: KOfNCriteria; ids: IdDictionary },
): void {
  for (const side of criteria) {
    writeSide(writer.sides, side, ids);
    writer.sideNames.push(side.name);
  }
  writer.numbers.push(number);
  writer.atLeast.push(atLeast);
  writer.sideStarts.push(writer.sideNames.length);
}

/** Writes a row with the entitlements of a side, but for those that the catalogue lacks. */
export function writeSide(writer: RowWriter, { criteriaList }: SodCriteria, ids: IdDictionary): void {
  for (const { id } of criteriaList) {
    const entitlement = findId(ids, id);
    if (entitlement !== undefined) pushNumber(writer, entitlement);
  }
  endRow(writer);
}

/** The parts that were written, in steps. */
export function* kOfNPolicyParts(writer: KOfNWriter, budget: WorkBudget): Steps<KOfNPolicyParts> {
  return {
    numbers: new Uint32Array(writer.numbers),
    atLeast: new Uint8Array(writer.atLeast),
    sideStarts: new Uint32Array(writer.sideStarts),
    // A mark before each name tells an empty one from none.
    sideNames: yield* encodeTexts(writer.sideNames, { textOf: (name) => (name === null ? '' : `=${name}`), budget }),
    sides: rowsOf(writer.sides),
  };
}

/** All that predictions need of these policies, in steps; null where there is none. */
export function* createKOfNPolicies(
  parts: KOfNPolicyParts,
  { catalogue, budget }: { readonly catalogue: SodCatalogue; readonly budget: WorkBudget },
): Steps<KOfNPolicies | null> {
  const { numbers, sideStarts, sides } = parts;
  if (numbers.length === 0) return null;
  const places = new Uint32Array(sides.starts.length - 1);
  let sideCountMax = 0;
  for (let place = 0; place < numbers.length; place++) {
    const start = sideStarts[place] ?? 0;
    const end = sideStarts[place + 1] ?? 0;
    for (let side = start; side < end; side++) places[side] = place;
    sideCountMax = Math.max(sideCountMax, end - start);
    if (isPauseDue(budget, 1 / LIGHT)) yield;
  }
  const sidesByEntitlement = yield* invertRows(sides, { valueEnd: idCount(catalogue.numbers.ids), flip: 0, budget });
  return { ...parts, places, sidesByEntitlement, sideCountMax, judged: createEpochSet(numbers.length) };
}

// So many policies are passed over in the time that it takes to look up one id.
const LIGHT = 16;

/** The name of a side; null where it has none. */
export function sideNameAt({ sideNames }: KOfNPolicies, side: number): string | null {
  const text = textAt(sideNames, side);
  return text === '' ? null : text.slice(1);
}
