import { idCount, numberOfId } from './id-numbers.ts';
import { createMarks, type Marks } from './marks.ts';
import { createRowWriter, endRow, type NumberRows, pushNumber, rowsOf } from './number-rows.ts';
import { isPauseDue, type Pace } from './pace.ts';
import type { SodCatalogue } from './sod-catalogue.ts';
import { SOD_POLICY_LEVELS, type SodPolicy, type SodPolicyLevel } from './sod-policy.ts';
import { encodeTexts, type TextRows, textAt } from './text-rows.ts';

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
  readonly ids: TextRows;
  readonly names: TextRows;
  /** Places in `SOD_POLICY_LEVELS`. */
  readonly levels: Uint8Array;
  /**
   * The entitlements of each side, sorted and unique; those that the catalogue lacks cannot match and are left out.
   * Sides `2p` and `2p + 1` are the left and the right one of policy `p`.
   */
  readonly sides: NumberRows;
  /** For each entitlement the sides opposite those that it is on. */
  readonly rivals: NumberRows;
  /** The policies that answers had to name so far, by number. */
  readonly named: (NamedPolicy | undefined)[];
  /** One mark per side. */
  readonly judged: Marks;
  /** One number that comes of what was read ahead last: engines leave out a reading of which nothing comes. */
  readonly lastRead: Int32Array;
}

/** The parts that everything else about a table follows from, together with the number of entitlements. */
export type SodPolicyTableParts = Pick<SodPolicyTable, 'ids' | 'names' | 'levels' | 'sides'>;

/** Compiles policies, enforced and sorted by id, in steps. */
export function* compileSodPolicies(
  policies: readonly SodPolicy[],
  { catalogue, pace }: { readonly catalogue: SodCatalogue; readonly pace: Pace },
): Generator<void, SodPolicyTable> {
  const ids = yield* encodeTexts(policies, { textOf: ({ id }) => id, pace });
  const names = yield* encodeTexts(policies, { textOf: ({ name }) => name, pace });
  const levels = yield* levelsOf(policies, pace);
  const sides = yield* sidesOf(policies, { catalogue, pace });
  return yield* createSodPolicyTable({ ids, names, levels, sides }, { catalogue, pace });
}

/** A table of which no policy is named yet, in steps. */
export function* createSodPolicyTable(
  { ids, names, levels, sides }: SodPolicyTableParts,
  { catalogue, pace }: { readonly catalogue: SodCatalogue; readonly pace: Pace },
): Generator<void, SodPolicyTable> {
  const rivals = yield* rivalsOf(sides, { entitlementCount: idCount(catalogue.numbers.ids), pace });
  const named = new Array<NamedPolicy | undefined>(levels.length).fill(undefined);
  const judged = createMarks(levels.length * 2);
  return { ids, names, levels, sides, rivals, named, judged, lastRead: new Int32Array(1) };
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

function* levelsOf(policies: readonly SodPolicy[], pace: Pace): Generator<void, Uint8Array> {
  const levels = new Uint8Array(policies.length);
  let number = 0;
  for (const { level } of policies) {
    levels[number++] = SOD_POLICY_LEVELS.indexOf(level);
    if (isPauseDue(pace, 1)) yield;
  }
  return levels;
}

function* sidesOf(
  policies: readonly SodPolicy[],
  { catalogue: { numbers }, pace }: { readonly catalogue: SodCatalogue; readonly pace: Pace },
): Generator<void, NumberRows> {
  const writer = createRowWriter();
  for (const { conflictingAccessCriteria: criteria } of policies) {
    const { criteriaList: left } = criteria.leftCriteria;
    const { criteriaList: right } = criteria.rightCriteria;
    for (const items of [left, right]) {
      for (const { id } of items) {
        const entitlement = numberOfId(numbers, id);
        if (entitlement !== undefined) pushNumber(writer, entitlement);
      }
      endRow(writer);
    }
    if (isPauseDue(pace, left.length + right.length)) yield;
  }
  return rowsOf(writer);
}

// Plain loops over stretches: they run several times as fast as the same loops in a generator.
const STRETCH = 0x4000;
// So many rivals are entered in the time that it takes to look up one id.
const LIGHT = 16;

function* rivalsOf(
  sides: NumberRows,
  { entitlementCount, pace }: { readonly entitlementCount: number; readonly pace: Pace },
): Generator<void, NumberRows> {
  const next = new Uint32Array(entitlementCount + 1);
  for (let from = 0; from < sides.values.length; from += STRETCH) {
    countInto(next, sides.values.subarray(from, from + STRETCH));
    if (isPauseDue(pace, STRETCH / LIGHT)) yield;
  }
  for (let at = 1; at < next.length; at++) next[at] = (next[at] ?? 0) + (next[at - 1] ?? 0);
  const rivals = { starts: next.slice(), values: new Uint32Array(sides.values.length) };
  for (let from = 0; from < sides.starts.length - 1; from += STRETCH / 8) {
    const end = Math.min(from + STRETCH / 8, sides.starts.length - 1);
    enterRivals(rivals.values, { sides, next, from, end });
    if (isPauseDue(pace, ((sides.starts[end] ?? 0) - (sides.starts[from] ?? 0)) / LIGHT)) yield;
  }
  return rivals;
}

// One place further on, where the next row starts.
function countInto(counts: Uint32Array, values: Uint32Array): void {
  for (let at = 0; at < values.length; at++) {
    const place = (values[at] ?? 0) + 1;
    counts[place] = (counts[place] ?? 0) + 1;
  }
}

function enterRivals(
  rivals: Uint32Array,
  { sides, next, from, end }: { sides: NumberRows; next: Uint32Array; from: number; end: number },
): void {
  const { starts, values } = sides;
  for (let side = from; side < end; side++) {
    const sideEnd = starts[side + 1] ?? 0;
    for (let at = starts[side] ?? 0; at < sideEnd; at++) {
      const entitlement = values[at] ?? 0;
      const place = next[entitlement] ?? 0;
      rivals[place] = side ^ 1;
      next[entitlement] = place + 1;
    }
  }
}
