import { type CsrRows, createRowWriter, endRow, pushNumber, type RowWriter, rowsOf } from '../collections/csr-rows.ts';
import { findId, idCount } from '../collections/id-dictionary.ts';
import { invertRows } from '../collections/invert-rows.ts';
import { encodeTexts, type StringTable, textAt } from '../collections/string-table.ts';
import {
  atLeastOf,
  isKOfN,
  SOD_POLICY_LEVELS,
  type SodCriteria,
  type SodPolicy,
  type SodPolicyLevel,
  sidesOf,
} from '../policy/model.ts';
import { isPauseDue, type Steps, type WorkBudget } from '../steps/work-budget.ts';
import type { SodCatalogue } from './catalogue.ts';

/** A violated policy in the form of answers. */
export interface ViolatedPolicy {
  readonly type: 'SOD_POLICY';
  readonly id: string;
  readonly name: string;
  readonly level: SodPolicyLevel;
}

/** Enforced policies compiled for evaluation, numbered in code-unit order of their ids; so are the sides of all of them. */
export interface SodPolicyTable {
  readonly ids: StringTable;
  readonly names: StringTable;
  /** The level of each policy as its index in `SOD_POLICY_LEVELS`. */
  readonly levels: Uint8Array;
  /** The number of sides on which access violates a policy (k): 2 for a two-sided one, 1 for one with a single side. */
  readonly atLeast: Uint8Array;
  /** 1 for the policies that answers show as k-of-n policies, 0 for those that they show with a left and a right side. */
  readonly kOfN: Uint8Array;
  /** Policy `p` has the sides from `sideStarts[p]` up to, and without, `sideStarts[p + 1]`. */
  readonly sideStarts: Uint32Array;
  /** As `sideNameAt` reads them. Predictions and reports show those of k-of-n policies only. */
  readonly sideNames: StringTable;
  /** The entitlements of each side, sorted and unique; those that the catalogue lacks cannot match and are left out. */
  readonly sides: CsrRows;
  /** The policy of each side. */
  readonly policyBySide: Uint32Array;
  /**
   * What to evaluate for a gained entitlement, one entry for each side with it. For a pair (two sides, violated on both) the
   * entry is the opposite side, times two; for other policies it is the policy, times two, plus one.
   */
  readonly entries: CsrRows;
  /** Cache of the policies in the form of answers, by number; filled in on first use. */
  readonly named: (ViolatedPolicy | undefined)[];
}

/** The parts from which the rest of a table is derived. */
export type SodPolicyTableParts = Pick<
  SodPolicyTable,
  'ids' | 'names' | 'levels' | 'atLeast' | 'kOfN' | 'sideStarts' | 'sideNames' | 'sides'
>;

interface Compilation {
  readonly catalogue: SodCatalogue;
  readonly budget: WorkBudget;
}

/** Compiles policies, enforced and sorted by id, in steps. */
export function* compileSodPolicies(
  policies: readonly SodPolicy[],
  { catalogue, budget }: Compilation,
): Steps<SodPolicyTable> {
  const levels = new Uint8Array(policies.length);
  const atLeast = new Uint8Array(policies.length);
  const kOfN = new Uint8Array(policies.length);
  const sideStarts = new Uint32Array(policies.length + 1);
  const namesOfSides: (string | null)[] = [];
  const writer = createRowWriter();
  for (const [number, { level, conflictingAccessCriteria: criteria }] of policies.entries()) {
    levels[number] = SOD_POLICY_LEVELS.indexOf(level);
    atLeast[number] = atLeastOf(criteria);
    kOfN[number] = isKOfN(criteria) ? 1 : 0;
    let items = 1;
    for (const side of sidesOf(criteria)) {
      namesOfSides.push(side.name ?? null);
      items += side.criteriaList.length;
      writeSide(writer, side, catalogue);
    }
    sideStarts[number + 1] = namesOfSides.length;
    if (isPauseDue(budget, items)) yield;
  }
  const ids = yield* encodeTexts(policies, { textOf: ({ id }) => id, budget });
  const names = yield* encodeTexts(policies, { textOf: ({ name }) => name, budget });
  // A sign before each name distinguishes an empty one from none.
  const textOf = (name: string | null) => (name === null ? '' : `=${name}`);
  const sideNames = yield* encodeTexts(namesOfSides, { textOf, budget });
  const parts = { ids, names, levels, atLeast, kOfN, sideStarts, sideNames, sides: rowsOf(writer) };
  return yield* createSodPolicyTable(parts, { catalogue, budget });
}

// Outside the generator, where this loop is faster.
function writeSide(writer: RowWriter, { criteriaList }: SodCriteria, { numbers }: SodCatalogue): void {
  for (const { id } of criteriaList) {
    const entitlement = findId(numbers, id);
    if (entitlement !== undefined) pushNumber(writer, entitlement);
  }
  endRow(writer);
}

// The number of sides that are numbered in one unit of work.
const LIGHT = 16;

/** Creates a table, in steps; the names for answers are added on first use. */
export function* createSodPolicyTable(
  parts: SodPolicyTableParts,
  { catalogue, budget }: Compilation,
): Steps<SodPolicyTable> {
  const { sides, sideStarts, atLeast, levels } = parts;
  const policyBySide = new Uint32Array(sides.starts.length - 1);
  const entryOfSide = new Uint32Array(sides.starts.length - 1);
  for (let policy = 0; policy < levels.length; policy++) {
    const first = sideStarts[policy] ?? 0;
    const end = sideStarts[policy + 1] ?? 0;
    const isPair = end - first === 2 && atLeast[policy] === 2;
    for (let side = first; side < end; side++) {
      policyBySide[side] = policy;
      entryOfSide[side] = isPair ? (first + first + 1 - side) * 2 : policy * 2 + 1;
    }
    if (isPauseDue(budget, (end - first) / LIGHT)) yield;
  }
  const entries = yield* invertRows(sides, {
    valueEnd: idCount(catalogue.numbers.ids),
    entryOfRow: entryOfSide,
    budget,
  });
  const named = new Array<ViolatedPolicy | undefined>(levels.length).fill(undefined);
  return { ...parts, policyBySide, entries, named };
}

/** A policy by its number in a table. */
export interface PolicyPlace {
  readonly table: SodPolicyTable;
  readonly number: number;
}

/** The form in which answers name a policy. */
export const policyAt = ({ table, number }: PolicyPlace): ViolatedPolicy =>
  table.named[number] ?? namePolicy(table, number);

function namePolicy({ ids, names, levels, named }: SodPolicyTable, number: number): ViolatedPolicy {
  const level = SOD_POLICY_LEVELS[levels[number] ?? 0] ?? 'CRITICAL';
  const policy = { type: 'SOD_POLICY', id: textAt(ids, number), name: textAt(names, number), level } as const;
  named[number] = policy;
  return policy;
}

/** The sides of a policy: `sideCount` rows from `first` on. Access on `atLeast` of them violates it. */
export interface PolicySides {
  readonly rows: CsrRows;
  readonly first: number;
  readonly sideCount: number;
  readonly atLeast: number;
}

/** The sides of a policy in its table. */
export function policySidesAt({ table, number }: PolicyPlace): PolicySides {
  const first = table.sideStarts[number] ?? 0;
  const sideCount = (table.sideStarts[number + 1] ?? 0) - first;
  return { rows: table.sides, first, sideCount, atLeast: table.atLeast[number] ?? 0 };
}

/** Whether answers show a policy as a k-of-n policy. */
export const isShownAsKOfN = ({ table, number }: PolicyPlace): boolean => table.kOfN[number] === 1;

/** The name of a side by its row; null where it has none. */
export function sideNameAt({ sideNames }: SodPolicyTable, side: number): string | null {
  const text = textAt(sideNames, side);
  return text === '' ? null : text.slice(1);
}
