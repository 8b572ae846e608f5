import { sortById } from '../../access/model/sort-by-id.ts';
import {
  atLeastOf,
  type EvaluatedPolicy,
  isKOfN,
  SOD_POLICY_LEVELS,
  type SodCriteria,
  type SodPolicyLevel,
  sidesOf,
} from '../../governance/policies/model.ts';
import { type CsrRows, createRowWriter, endRow, pushNumber, type RowWriter, rowsOf } from '../collections/csr-rows.ts';
import { findId, idCount } from '../collections/id-dictionary.ts';
import { invertRows } from '../collections/invert-rows.ts';
import { addText, createTextWriter, type StringTable, textAt, textsOf } from '../collections/string-table.ts';
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
  /** The digest of the terms that an exception from each policy is approved for; empty where it is not given. */
  readonly terms: StringTable;
  /** The level of each policy as its index in `SOD_POLICY_LEVELS`. */
  readonly levels: Uint8Array;
  /** The number of sides on which access violates a policy (k): 2 for a two-sided one, 1 for one with a single side. */
  readonly atLeast: Uint8Array;
  /** 1 for the policies that answers show as k-of-n policies, 0 for those that they show with a left and a right side. */
  readonly kOfN: Uint8Array;
  /** Policy `p` has the sides from `sideStarts[p]` up to, and without, `sideStarts[p + 1]`. */
  readonly sideStarts: Uint32Array;
  /** As `sideNamesAt` reads them. Predictions and reports show those of k-of-n policies only. */
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

/** Compiles enforced policies, given in code-unit order of their ids; they may come in parts. */
export interface PolicyCompiler {
  add(policies: readonly EvaluatedPolicy[]): void;
  finish(): SodPolicyTable;
}

/** Creates a compiler without policies. */
export function createPolicyCompiler(catalogue: SodCatalogue): PolicyCompiler {
  const ids = createTextWriter();
  const names = createTextWriter();
  const allTerms = createTextWriter();
  const levels: number[] = [];
  const atLeast: number[] = [];
  const kOfN: number[] = [];
  const sideStarts: number[] = [0];
  const sideNames = createTextWriter();
  const sides = createRowWriter();
  const addPolicy = ({ id, name, level, terms = '', conflictingAccessCriteria: criteria }: EvaluatedPolicy) => {
    addText(ids, id);
    addText(names, name);
    addText(allTerms, terms);
    levels.push(SOD_POLICY_LEVELS.indexOf(level));
    atLeast.push(atLeastOf(criteria));
    kOfN.push(isKOfN(criteria) ? 1 : 0);
    for (const side of sidesOf(criteria)) {
      // A sign before each name distinguishes an empty one from none.
      addText(sideNames, side.name == null ? '' : `=${side.name}`);
      addSide(sides, side, catalogue);
    }
    sideStarts.push(sides.starts.length - 1);
  };
  return {
    add: (policies) => {
      for (const policy of policies) addPolicy(policy);
    },
    finish: () =>
      withEntries(catalogue, {
        ids: textsOf(ids),
        names: textsOf(names),
        terms: textsOf(allTerms),
        levels: Uint8Array.from(levels),
        atLeast: Uint8Array.from(atLeast),
        kOfN: Uint8Array.from(kOfN),
        sideStarts: Uint32Array.from(sideStarts),
        sideNames: textsOf(sideNames),
        sides: rowsOf(sides),
      }),
  };
}

/** Compiles enforced policies, whatever their order, at once. */
export function compileSodPolicies(policies: readonly EvaluatedPolicy[], catalogue: SodCatalogue): SodPolicyTable {
  const compiler = createPolicyCompiler(catalogue);
  compiler.add(sortById(policies));
  return compiler.finish();
}

function addSide(writer: RowWriter, { criteriaList }: SodCriteria, { numbers }: SodCatalogue): void {
  for (const { id } of criteriaList) {
    const entitlement = findId(numbers, id);
    if (entitlement !== undefined) pushNumber(writer, entitlement);
  }
  endRow(writer);
}

/** Adds what is derived from the sides. */
function withEntries(
  { numbers }: SodCatalogue,
  parts: Omit<SodPolicyTable, 'policyBySide' | 'entries' | 'named'>,
): SodPolicyTable {
  const { sides, sideStarts, atLeast, levels } = parts;
  const policyBySide = new Uint32Array(sides.starts.length - 1);
  const entryOfRow = new Uint32Array(sides.starts.length - 1);
  for (let policy = 0; policy < levels.length; policy++) {
    const first = sideStarts[policy] ?? 0;
    const end = sideStarts[policy + 1] ?? 0;
    const isPair = end - first === 2 && atLeast[policy] === 2;
    for (let side = first; side < end; side++) {
      policyBySide[side] = policy;
      entryOfRow[side] = isPair ? (first + first + 1 - side) * 2 : policy * 2 + 1;
    }
  }
  const entries = invertRows(sides, { valueEnd: idCount(numbers.ids), entryOfRow });
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

/** The digest of the terms that an exception from a policy is approved for. */
export const termsAt = ({ table, number }: PolicyPlace): string => textAt(table.terms, number);

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

/** The names of the sides of a policy; null for a side that has none. */
export function sideNamesAt(policy: PolicyPlace): readonly (string | null)[] {
  const { first, sideCount } = policySidesAt(policy);
  const names: (string | null)[] = [];
  for (let row = first; row < first + sideCount; row++) {
    const text = textAt(policy.table.sideNames, row);
    names.push(text === '' ? null : text.slice(1));
  }
  return names;
}
