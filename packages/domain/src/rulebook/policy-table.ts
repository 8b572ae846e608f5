import { type CsrRows, createRowWriter, endRow, rowsOf } from '../collections/csr-rows.ts';
import { createEpochSet, type EpochSet } from '../collections/epoch-set.ts';
import { idCount } from '../collections/id-dictionary.ts';
import { invertRows } from '../collections/invert-rows.ts';
import { encodeTexts, type StringTable, textAt } from '../collections/string-table.ts';
import {
  type ConflictingAccessCriteria,
  isKOfN,
  SOD_POLICY_LEVELS,
  type SodPolicy,
  type SodPolicyLevel,
  sidesOf,
} from '../policy/model.ts';
import { isPauseDue, type Steps, type WorkBudget } from '../steps/work-budget.ts';
import type { SodCatalogue } from './catalogue.ts';
import {
  addKOfNPolicy,
  createKOfNPolicies,
  createKOfNWriter,
  type KOfNPolicies,
  type KOfNPolicyParts,
  kOfNPolicyParts,
  writeSide,
} from './k-of-n-policies.ts';

/** A violated policy as answers name it. */
export interface ViolatedPolicy {
  readonly type: 'SOD_POLICY';
  readonly id: string;
  readonly name: string;
  readonly level: SodPolicyLevel;
}

/** A policy as answers name it, and the JSON text of a violation of it up to the value of `preexisting`. */
export interface NamedPolicy {
  readonly policy: ViolatedPolicy;
  readonly json: string;
}

/** Enforced policies compiled for prediction, numbered in code-unit order of their ids. */
export interface SodPolicyTable {
  readonly ids: StringTable;
  readonly names: StringTable;
  /** Places in `SOD_POLICY_LEVELS`. */
  readonly levels: Uint8Array;
  /**
   * The entitlements of each side, sorted and unique; those that the catalogue lacks cannot match and are left out.
   * Sides `2p` and `2p + 1` are the left and the right one of policy `p`, both empty where that is a k-of-n policy.
   */
  readonly sides: CsrRows;
  /** For each entitlement the sides opposite those that it is on. */
  readonly oppositeSides: CsrRows;
  /** The sides of k-of-n policies; null where there is no such policy. */
  readonly wide: KOfNPolicies | null;
  /** The policies that answers had to name so far, by number. */
  readonly named: (NamedPolicy | undefined)[];
  /** One mark per side. */
  readonly judged: EpochSet;
  /** One number that comes of what was read ahead last: engines leave out a reading of which nothing comes. */
  readonly lastRead: Int32Array;
}

/** The parts that everything else about a table follows from, together with the number of entitlements. */
export interface SodPolicyTableParts extends Pick<SodPolicyTable, 'ids' | 'names' | 'levels' | 'sides'> {
  readonly wide: KOfNPolicyParts;
}

/** Compiles policies, enforced and sorted by id, in steps. */
export function* compileSodPolicies(
  policies: readonly SodPolicy[],
  { catalogue, budget }: { readonly catalogue: SodCatalogue; readonly budget: WorkBudget },
): Steps<SodPolicyTable> {
  const ids = yield* encodeTexts(policies, { textOf: ({ id }) => id, budget });
  const names = yield* encodeTexts(policies, { textOf: ({ name }) => name, budget });
  const levels = yield* levelsOf(policies, budget);
  const { sides, wide } = yield* compileSides(policies, { catalogue, budget });
  return yield* createSodPolicyTable({ ids, names, levels, sides, wide }, { catalogue, budget });
}

/** A table of which no policy is named yet, in steps. */
export function* createSodPolicyTable(
  { ids, names, levels, sides, wide: wideParts }: SodPolicyTableParts,
  { catalogue, budget }: { readonly catalogue: SodCatalogue; readonly budget: WorkBudget },
): Steps<SodPolicyTable> {
  // The other side of a pair has the number with the last bit flipped.
  const oppositeSides = yield* invertRows(sides, { valueEnd: idCount(catalogue.numbers.ids), flip: 1, budget });
  const wide = yield* createKOfNPolicies(wideParts, { catalogue, budget });
  const named = new Array<NamedPolicy | undefined>(levels.length).fill(undefined);
  const judged = createEpochSet(levels.length * 2);
  return { ids, names, levels, sides, oppositeSides, wide, named, judged, lastRead: new Int32Array(1) };
}

/** The policy of a number. */
export const policyAt = (table: SodPolicyTable, number: number): NamedPolicy =>
  table.named[number] ?? namePolicy(table, number);

function namePolicy({ ids, names, levels, named }: SodPolicyTable, number: number): NamedPolicy {
  const level = SOD_POLICY_LEVELS[levels[number] ?? 0] ?? 'CRITICAL';
  const policy = { type: 'SOD_POLICY', id: textAt(ids, number), name: textAt(names, number), level } as const;
  const entry = { policy, json: `{"policy":${JSON.stringify(policy)},"preexisting":` };
  named[number] = entry;
  return entry;
}

function* levelsOf(policies: readonly SodPolicy[], budget: WorkBudget): Steps<Uint8Array> {
  const levels = new Uint8Array(policies.length);
  let number = 0;
  for (const { level } of policies) {
    levels[number++] = SOD_POLICY_LEVELS.indexOf(level);
    if (isPauseDue(budget, 1)) yield;
  }
  return levels;
}

function* compileSides(
  policies: readonly SodPolicy[],
  { catalogue: { numbers }, budget }: { readonly catalogue: SodCatalogue; readonly budget: WorkBudget },
): Steps<Pick<SodPolicyTableParts, 'sides' | 'wide'>> {
  const writer = createRowWriter();
  const wide = createKOfNWriter();
  let number = 0;
  for (const { conflictingAccessCriteria: criteria } of policies) {
    if (isKOfN(criteria)) {
      addKOfNPolicy(wide, { number, criteria, ids: numbers });
      endRow(writer);
      endRow(writer);
    } else {
      writeSide(writer, criteria.leftCriteria, numbers);
      writeSide(writer, criteria.rightCriteria, numbers);
    }
    number++;
    if (isPauseDue(budget, itemCount(criteria))) yield;
  }
  return { sides: rowsOf(writer), wide: yield* kOfNPolicyParts(wide, budget) };
}

function itemCount(criteria: ConflictingAccessCriteria): number {
  let count = 0;
  for (const { criteriaList } of sidesOf(criteria)) count += criteriaList.length;
  return count;
}

/** A k-of-n policy at its place in a table. */
export interface KOfNPolicy {
  readonly wide: KOfNPolicies;
  readonly place: number;
}

/** The k-of-n policy of a number; null for a two-sided policy with entitlements, as those found violated are. */
export function kOfNAt({ wide, sides: { starts } }: SodPolicyTable, number: number): KOfNPolicy | null {
  if (wide === null || starts[number * 2] !== starts[number * 2 + 2]) return null;
  let low = 0;
  let high = wide.numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((wide.numbers[middle] ?? 0) < number) low = middle + 1;
    else high = middle;
  }
  return wide.numbers[low] === number ? { wide, place: low } : null;
}
