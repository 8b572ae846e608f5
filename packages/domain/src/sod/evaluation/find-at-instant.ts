import { policySidesAt, type SodPolicyTable } from '../rulebook/policy-table.ts';
import { mergePolicies, type SodIndex } from '../rulebook/sod-index.ts';
import type { Entitlements } from './expand-access.ts';
import { isPairViolated, isViolated } from './is-violated.ts';
import type { InstantQuestion } from './question.ts';
import { type MarkedAccess, type Scratch, scratchOf, startAccess, startSides } from './scratch.ts';

/** What is violated at one instant. */
export interface FoundAtInstant {
  /** The violated policies, as numbers of the index, ascending. */
  readonly policies: readonly number[];
  /** What is held and gained then. Valid until the next search in an index of the same catalogue. */
  readonly access: MarkedAccess;
}

/**
 * Finds what granting the requested access would violate at one instant: each policy that held and requested access violate
 * together, where something gained contributes to it. Only policies that name a gained entitlement are evaluated.
 */
export function findAtInstant(index: SodIndex, { held, parts, timed }: InstantQuestion): FoundAtInstant {
  let entryCount = 0;
  for (const part of parts) entryCount += countAllEntries(index, part);
  if (entryCount === 0) return NOTHING_FOUND;
  const scratch = scratchOf(index.catalogue);
  const access = startAccess(scratch);
  // What is marked later replaces earlier marks.
  if (timed?.yieldsToRequest === true) for (const part of timed.parts) markHeld(part, access);
  const requested = markRequested(parts, access);
  markHeld(held, access);
  if (timed?.yieldsToRequest === false) for (const part of timed.parts) markHeld(part, access);
  const search = { requested, access, scratch, isLarge: entryCount > MANY_ENTRIES };
  const violated = searchTable(index.compiled, search);
  const { overlay } = index;
  const policies = overlay === null ? violated : mergePolicies(index, violated, searchTable(overlay.table, search));
  return { policies, access };
}

const NOTHING_FOUND: FoundAtInstant = { policies: [], access: { marks: new Uint8Array(), heldMark: 0 } };

const MANY_ENTRIES = 2_048;

/** The number of entries of entitlements in both tables: the sides to evaluate if they are gained. */
const countAllEntries = ({ compiled, overlay }: SodIndex, entitlements: Entitlements): number =>
  countEntries(compiled, entitlements) + (overlay === null ? 0 : countEntries(overlay.table, entitlements));

function countEntries({ entries: { starts } }: SodPolicyTable, entitlements: Entitlements): number {
  let count = 0;
  for (let at = 0; at < entitlements.length; at++) {
    const entitlement = entitlements[at] ?? 0;
    count += (starts[entitlement + 1] ?? 0) - (starts[entitlement] ?? 0);
  }
  return count;
}

/** Marks all requested access as gained, and returns each of its entitlements once. Held access is marked later. */
function markRequested(parts: readonly Entitlements[], { marks, heldMark }: MarkedAccess): readonly number[] {
  const gainedMark = heldMark + 1;
  const requested: number[] = [];
  for (const part of parts) {
    for (let at = 0; at < part.length; at++) {
      const entitlement = part[at] ?? 0;
      if (marks[entitlement] === gainedMark) continue;
      marks[entitlement] = gainedMark;
      requested.push(entitlement);
    }
  }
  return requested;
}

function markHeld(held: Entitlements, { marks, heldMark }: MarkedAccess): void {
  for (let at = 0; at < held.length; at++) marks[held[at] ?? 0] = heldMark;
}

interface Search {
  readonly requested: readonly number[];
  readonly access: MarkedAccess;
  readonly scratch: Scratch;
  /** Whether many sides are to be evaluated: then it is recorded which ones were. Otherwise evaluating one again is cheaper. */
  readonly isLarge: boolean;
}

/** The numbers of the violated policies of a table, ascending. */
function searchTable(table: SodPolicyTable, search: Search): readonly number[] {
  const { requested, access, scratch, isLarge } = search;
  const evaluatedMark = isLarge ? startSides(scratch, table.policyBySide.length) : 0;
  const evaluation = { table, access, evaluated: isLarge ? scratch.sides.bytes : null, evaluatedMark, violated: [] };
  const { starts } = table.entries;
  for (const entitlement of requested)
    if (access.marks[entitlement] !== access.heldMark)
      evaluateEntries(evaluation, starts[entitlement] ?? 0, starts[entitlement + 1] ?? 0);
  return isLarge ? collectViolated(evaluation) : sortedOnce(evaluation.violated);
}

interface Evaluation {
  readonly table: SodPolicyTable;
  readonly access: MarkedAccess;
  /** A mark per side: `evaluatedMark`, or its successor if the policy was found violated. Null in a small search. */
  readonly evaluated: Uint8Array | null;
  readonly evaluatedMark: number;
  /** The policies found violated in a small search, unordered and perhaps repeated. */
  readonly violated: number[];
}

/**
 * Evaluates the entries of a gained entitlement: of a pair the opposite side, as its own one is on. A policy without a gained
 * entitlement needs no evaluation: no request can cause its violation.
 */
function evaluateEntries(evaluation: Evaluation, from: number, end: number): void {
  const { table, access, evaluated, evaluatedMark } = evaluation;
  const { values } = table.entries;
  readAhead(table, from, end);
  for (let at = from; at < end; at++) {
    const entry = values[at] ?? 0;
    const isPair = (entry & 1) === 0;
    const side = isPair ? entry >>> 1 : (table.sideStarts[entry >>> 1] ?? 0);
    if (evaluated !== null) {
      if ((evaluated[side] ?? 0) >= evaluatedMark) continue;
      evaluated[side] = evaluatedMark;
    }
    const isOne = isPair ? isPairViolated(table.sides, side, access) : isPolicyViolated(table, entry >>> 1, access);
    if (!isOne) continue;
    if (evaluated === null) evaluation.violated.push(table.policyBySide[side] ?? 0);
    else evaluated[side] = evaluatedMark + 1;
  }
}

// Evaluation waits for the items of a side before it turns to the next one: in a large table each is a wait for memory.
// Reading ahead depends on no result, so these waits overlap.
function readAhead({ entries: { values }, sides }: SodPolicyTable, from: number, end: number): void {
  const { starts, values: items } = sides;
  let sum = 0;
  for (let at = from; at < end; at++) sum = (sum + (items[starts[(values[at] ?? 0) >>> 1] ?? 0] ?? 0)) | 0;
  lastRead[0] = sum;
}

// Receives the sum, as engines remove reads without an effect.
const lastRead = new Int32Array(1);

function isPolicyViolated(table: SodPolicyTable, number: number, { marks, heldMark }: MarkedAccess): boolean {
  const sides = policySidesAt({ table, number });
  const { starts, values } = sides.rows;
  return isViolated(sides, (side) => {
    const end = starts[sides.first + side + 1] ?? 0;
    let item = starts[sides.first + side] ?? 0;
    while (item < end && (marks[values[item] ?? 0] ?? 0) < heldMark) item++;
    return item < end;
  });
}

function collectViolated({ table: { policyBySide }, evaluated, evaluatedMark }: Evaluation): readonly number[] {
  const violated: number[] = [];
  for (let side = 0; side < policyBySide.length; side++) {
    if (evaluated?.[side] !== evaluatedMark + 1) continue;
    const policy = policyBySide[side] ?? 0;
    if (violated[violated.length - 1] !== policy) violated.push(policy);
  }
  return violated;
}

/** Sorts numbers in place and removes repetitions. */
function sortedOnce(numbers: number[]): readonly number[] {
  if (numbers.length < 2) return numbers;
  numbers.sort((a, b) => a - b);
  let length = 0;
  for (const number of numbers) if (length === 0 || numbers[length - 1] !== number) numbers[length++] = number;
  numbers.length = length;
  return numbers;
}
