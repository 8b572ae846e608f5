import type { Catalogue } from './access-model.ts';
import { idCount, numberOfId } from './id-numbers.ts';
import { createRowWriter, endRow, type NumberRows, pushNumber, type RowWriter, rowAt, rowsOf } from './number-rows.ts';
import { isPauseDue, type Pace } from './pace.ts';
import { compileSodCatalogue, type SodCatalogue } from './sod-catalogue.ts';
import { isKOfN, type SodPolicy, sidesOf } from './sod-policy.ts';
import { sortById } from './sort-by-id.ts';
import { textAt } from './text-rows.ts';

/** A policy but for its sides. */
export interface LintedPolicy {
  readonly id: string;
  readonly name: string;
  readonly isEnforced: boolean;
  /** How many sides it takes to violate it: 2 where it is two-sided. */
  readonly atLeast: number;
}

/** All policies, enforced or not, as written: with the items that the catalogue lacks. */
export interface LintRulebook {
  readonly catalogue: SodCatalogue;
  /** The access profiles of each role, by their numbers. */
  readonly roleProfiles: NumberRows;
  /** Numbered in code-unit order of their ids. */
  readonly policies: readonly LintedPolicy[];
  /** Policy `p` has the sides from `sideStarts[p]` up to, and without, `sideStarts[p + 1]`. */
  readonly sideStarts: Uint32Array;
  /** The items of each side, sorted and unique: numbers of the catalogue, and above these of what it lacks. */
  readonly sides: NumberRows;
  /** The ids of the items that the catalogue lacks. */
  readonly lost: readonly string[];
}

/** About the work of one millisecond. */
export const LINT_STEP_WORK = 0x1000;

/** So many numbers are passed over in the time that it takes to look up one id. */
export const LIGHT = 16;

// The criteria are parsed as they are read.
const ITEM_WORK = 3;

/** Makes a rulebook ready for `lintPolicies`, with a pause after each millisecond or two of work. Keeps nothing of what it is given but ids and names. */
export function* compileLintRulebook(
  policies: readonly SodPolicy[],
  catalogue: Catalogue,
): Generator<void, LintRulebook> {
  const pace = { workMax: LINT_STEP_WORK, work: 0 };
  const compiled = yield* compileSodCatalogue(catalogue, pace);
  const roleProfiles = yield* profilesOfRoles(compiled, { roles: catalogue.roles, pace });
  const sides = createRowWriter();
  const numberOf = numberItems(compiled);
  const linted: LintedPolicy[] = [];
  const sideStarts = [0];
  for (const { id, name, state, conflictingAccessCriteria: criteria } of yield* sortById(policies, pace)) {
    linted.push({ id, name, isEnforced: state === 'ENFORCED', atLeast: isKOfN(criteria) ? criteria.atLeast : 2 });
    let items = 1;
    for (const { criteriaList } of sidesOf(criteria)) {
      writeItems(sides, criteriaList, numberOf.number);
      items += criteriaList.length;
    }
    sideStarts.push(sides.starts.length - 1);
    if (isPauseDue(pace, items * ITEM_WORK)) yield;
  }
  return {
    catalogue: compiled,
    roleProfiles,
    policies: linted,
    sideStarts: new Uint32Array(sideStarts),
    sides: rowsOf(sides),
    lost: numberOf.lost,
  };
}

function* profilesOfRoles(
  { accessProfiles }: SodCatalogue,
  { roles, pace }: { readonly roles: Catalogue['roles']; readonly pace: Pace },
): Generator<void, NumberRows> {
  const rows = createRowWriter();
  for (const role of yield* sortById(roles, pace)) {
    for (const id of role.accessProfiles) {
      const profile = numberOfId(accessProfiles.numbers, id);
      if (profile !== undefined) pushNumber(rows, profile);
    }
    endRow(rows);
    if (isPauseDue(pace, 1 + role.accessProfiles.length)) yield;
  }
  return rowsOf(rows);
}

function writeItems(
  writer: RowWriter,
  items: readonly { readonly id: string }[],
  numberOf: (id: string) => number,
): void {
  for (const { id } of items) pushNumber(writer, numberOf(id));
  endRow(writer);
}

function numberItems({ numbers }: SodCatalogue) {
  const lost: string[] = [];
  const lostNumbers = new Map<string, number>();
  const number = (id: string): number => {
    const known = numberOfId(numbers, id) ?? lostNumbers.get(id);
    if (known !== undefined) return known;
    const added = idCount(numbers.ids) + lost.length;
    lostNumbers.set(id, added);
    lost.push(id);
    return added;
  };
  return { lost, number };
}

/** How many items there are, those that the catalogue lacks among them. */
export const itemEnd = ({ catalogue, lost }: LintRulebook): number => idCount(catalogue.numbers.ids) + lost.length;

/** The numbers of all policies, or of those that are enforced, in order. */
export function policyNumbers({ policies }: LintRulebook, which: 'all' | 'enforced'): readonly number[] {
  const numbers: number[] = [];
  for (let policy = 0; policy < policies.length; policy++)
    if (which === 'all' || policies[policy]?.isEnforced) numbers.push(policy);
  return numbers;
}

/** The items of all sides of a policy, side by side: one that is on several comes several times. */
export const itemsOf = ({ sideStarts, sides: { starts, values } }: LintRulebook, policy: number): Uint32Array =>
  values.subarray(starts[sideStarts[policy] ?? 0], starts[sideStarts[policy + 1] ?? 0]);

/** The items of each side of a policy. */
export function itemsBySide({ sideStarts, sides }: LintRulebook, policy: number): readonly Uint32Array[] {
  const end = sideStarts[policy + 1] ?? 0;
  const rows: Uint32Array[] = [];
  for (let side = sideStarts[policy] ?? 0; side < end; side++) rows.push(rowAt(sides, side));
  return rows;
}

/** Whether the catalogue has an item. */
export const isLiving = ({ catalogue }: LintRulebook, item: number): boolean => item < idCount(catalogue.numbers.ids);

/** The id of an item. */
export const itemId = ({ catalogue: { numbers }, lost }: LintRulebook, item: number): string => {
  const count = idCount(numbers.ids);
  return item < count ? textAt(numbers.ids, item) : (lost[item - count] ?? '');
};
