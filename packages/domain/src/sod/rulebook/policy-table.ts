import { sortById } from '../../access/model/sort-by-id.ts';
import { countBefore } from '../../basics/order/count-before.ts';
import { atLeastOf, type EvaluatedPolicy, isKOfN, type SodPolicyLevel, sidesOf } from '../../policies/model.ts';
import { addRow, createRowWriter, invertRows, type Rows, rowsOf } from '../collections/rows.ts';
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
  readonly policies: readonly ViolatedPolicy[];
  /** The digest of the terms that an exception from each policy is approved for; empty where it is not given. */
  readonly terms: readonly string[];
  /** The number of sides on which access violates a policy (k): 2 for a two-sided one, 1 for one with a single side. */
  readonly atLeast: Uint8Array;
  /** 1 for the policies that answers show as k-of-n policies, 0 for those that they show with a left and a right side. */
  readonly kOfN: Uint8Array;
  /** Policy `p` has the sides from `sideStarts[p]` up to, and without, `sideStarts[p + 1]`. */
  readonly sideStarts: Uint32Array;
  /** Null for a side without a name. */
  readonly sideNames: readonly (string | null)[];
  /** The entitlements of each side, sorted and unique; those that the catalogue lacks cannot match and are left out. */
  readonly sides: Rows;
  /** The policy of each side. */
  readonly policyBySide: Uint32Array;
  /**
   * What to evaluate for a gained entitlement, one entry for each side with it. For a pair (two sides, violated on both) the
   * entry is the opposite side, times two; for other policies it is the policy, times two, plus one.
   */
  readonly entries: Rows;
}

/** Compiles enforced policies, given in code-unit order of their ids; they may come in parts. */
export interface PolicyCompiler {
  add(policies: readonly EvaluatedPolicy[]): void;
  finish(): SodPolicyTable;
}

/** Creates a compiler without policies. */
export function createPolicyCompiler({ numbers, entitlements }: SodCatalogue): PolicyCompiler {
  const policies: ViolatedPolicy[] = [];
  const terms: string[] = [];
  const atLeast: number[] = [];
  const kOfN: number[] = [];
  const sideStarts: number[] = [0];
  const sideNames: (string | null)[] = [];
  const sides = createRowWriter();
  const policyBySide: number[] = [];
  const entryOfSide: number[] = [];
  const add = (policy: EvaluatedPolicy) => {
    const { id, name, level, conflictingAccessCriteria: criteria } = policy;
    const number = policies.push({ type: 'SOD_POLICY', id, name, level }) - 1;
    terms.push(policy.terms ?? '');
    atLeast.push(atLeastOf(criteria));
    kOfN.push(isKOfN(criteria) ? 1 : 0);
    const own = sidesOf(criteria);
    const first = sideNames.length;
    const isPair = own.length === 2 && atLeastOf(criteria) === 2;
    for (const [at, side] of own.entries()) {
      policyBySide.push(number);
      entryOfSide.push(isPair ? (first + 1 - at) * 2 : number * 2 + 1);
      sideNames.push(side.name);
      addRow(
        sides,
        side.criteriaList.flatMap((item) => numbers.get(item.id) ?? []),
      );
    }
    sideStarts.push(sideNames.length);
  };
  return {
    add: (added) => added.forEach(add),
    finish: () => {
      const rows = rowsOf(sides);
      return {
        policies,
        terms,
        atLeast: Uint8Array.from(atLeast),
        kOfN: Uint8Array.from(kOfN),
        sideStarts: Uint32Array.from(sideStarts),
        sideNames,
        sides: rows,
        policyBySide: Uint32Array.from(policyBySide),
        entries: invertRows(rows, entitlements.length, entryOfSide),
      };
    },
  };
}

/** Compiles enforced policies, whatever their order, at once. */
export function compileSodPolicies(policies: readonly EvaluatedPolicy[], catalogue: SodCatalogue): SodPolicyTable {
  const compiler = createPolicyCompiler(catalogue);
  compiler.add(sortById(policies));
  return compiler.finish();
}

/** A policy by its number in a table. */
export interface PolicyPlace {
  readonly table: SodPolicyTable;
  readonly number: number;
}

/** Where the policy with an id is in a table; null if it is not. */
export function findInTable(table: SodPolicyTable, id: string): PolicyPlace | null {
  const { policies } = table;
  const number = countBefore(policies.length, (at) => (policies[at]?.id ?? '') < id);
  return policies[number]?.id === id ? { table, number } : null;
}

/** The form in which answers name a policy. */
export function policyAt({ table, number }: PolicyPlace): ViolatedPolicy {
  const policy = table.policies[number];
  if (policy === undefined) throw new Error(`The table has no policy ${number}.`);
  return policy;
}

/** The digest of the terms that an exception from a policy is approved for. */
export const termsAt = ({ table, number }: PolicyPlace): string => table.terms[number] ?? '';

/** The sides of a policy: `sideCount` rows from `first` on. Access on `atLeast` of them violates it. */
export interface PolicySides {
  readonly rows: Rows;
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

/** The items of each side of a policy, as views. */
export const itemsBySide = ({ rows, first, sideCount }: PolicySides): readonly Uint32Array[] =>
  Array.from({ length: sideCount }, (_, side) =>
    rows.values.subarray(rows.starts[first + side], rows.starts[first + side + 1]),
  );

/** Whether answers show a policy as a k-of-n policy. */
export const isShownAsKOfN = ({ table, number }: PolicyPlace): boolean => table.kOfN[number] === 1;

/** The names of the sides of a policy; null for a side that has none. */
export const sideNamesAt = ({ table, number }: PolicyPlace): readonly (string | null)[] =>
  table.sideNames.slice(table.sideStarts[number], table.sideStarts[number + 1]);
