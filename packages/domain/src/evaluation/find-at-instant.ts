import { policySidesAt, type SodPolicyTable } from '../rulebook/policy-table.ts';
import { mergePolicies, type SodIndex } from '../rulebook/sod-index.ts';
import { isPauseDue, type Steps, type WorkBudget } from '../steps/work-budget.ts';
import { type Evaluator, type MarkedAccess, startAccess, startSides, takeEvaluator } from './evaluator.ts';
import type { Entitlements } from './expand-access.ts';
import type { FoundViolations } from './found-violations.ts';
import { isViolated } from './is-violated.ts';
import type { InstantQuestion } from './question.ts';

/** The number of entitlements marked, or of sides skipped, in one unit of work. */
export const LIGHT = 16;

/** Finds the violations of one instant, in steps: see `findViolations`. */
export function* findAtInstant(
  index: SodIndex,
  { ms, held, parts, timed }: InstantQuestion,
  budget: WorkBudget,
): Steps<FoundViolations> {
  const evaluator = takeEvaluator(index.catalogue);
  const access = startAccess(evaluator);
  const requested: number[] = [];
  // What is marked later replaces earlier marks.
  if (timed?.yieldsToRequest === true) for (const part of timed.parts) yield* markAllHeld(part, access, budget);
  for (const part of parts) {
    for (let from = 0; from < part.length; ) {
      const end = endOfRun(from, part.length, budget);
      markRequested(part, { from, end, access, requested });
      if (isPauseDue(budget, (end - from) / LIGHT)) yield;
      from = end;
    }
  }
  yield* markAllHeld(held, access, budget);
  if (timed?.yieldsToRequest === false) for (const part of timed.parts) yield* markAllHeld(part, access, budget);
  const search = { requested, access, evaluator, budget };
  const violated = yield* searchTable(index.compiled, search);
  const changed = index.overlay === null ? [] : yield* searchTable(index.overlay.table, search);
  const policies = mergePolicies(index, violated, changed);
  return { policies, ms, access, evaluator, temporal: null };
}

function* markAllHeld(held: Entitlements, access: MarkedAccess, budget: WorkBudget): Steps<void> {
  for (let from = 0; from < held.length; ) {
    const end = endOfRun(from, held.length, budget);
    markHeld(held, { from, end, access });
    if (isPauseDue(budget, (end - from) / LIGHT)) yield;
    from = end;
  }
}

// As many as the rest of the budget allows.
const endOfRun = (from: number, length: number, { limit, spent }: WorkBudget): number =>
  Math.min(length, from + Math.ceil((limit - spent) * LIGHT));

interface Marking {
  readonly from: number;
  readonly end: number;
  readonly access: MarkedAccess;
  readonly requested: number[];
}

/** Marks all requested access as gained; held access is marked later and replaces these marks. */
function markRequested(part: Entitlements, { from, end, access: { marks, heldMark }, requested }: Marking): void {
  const gainedMark = heldMark + 1;
  for (let at = from; at < end; at++) {
    const entitlement = part[at] ?? 0;
    if (marks[entitlement] === gainedMark) continue;
    marks[entitlement] = gainedMark;
    requested.push(entitlement);
  }
}

/** Marks held access. With `marks` and `heldMark` in variables the loop takes half the time. */
function markHeld(
  held: Entitlements,
  { from, end, access: { marks, heldMark } }: Pick<Marking, 'from' | 'end' | 'access'>,
): void {
  for (let at = from; at < end; at++) marks[held[at] ?? 0] = heldMark;
}

/** The number of entries of entitlements: the sides to evaluate if they are gained. */
export function countEntries({ entries: { starts } }: SodPolicyTable, entitlements: Entitlements): number {
  let count = 0;
  for (let at = 0; at < entitlements.length; at++) {
    const entitlement = entitlements[at] ?? 0;
    count += (starts[entitlement + 1] ?? 0) - (starts[entitlement] ?? 0);
  }
  return count;
}

interface Search {
  readonly requested: readonly number[];
  readonly access: MarkedAccess;
  readonly evaluator: Evaluator;
  readonly budget: WorkBudget;
}

/** A search of one table. */
export interface Walk {
  readonly table: SodPolicyTable;
  readonly access: MarkedAccess;
  readonly budget: WorkBudget;
  /**
   * For a large request a mark per side: `evaluatedMark`, or its successor if the policy was found violated. Null for a
   * small one: evaluating a side again is cheaper than recording that it was evaluated.
   */
  readonly evaluated: Uint8Array | null;
  readonly evaluatedMark: number;
  /** The policies found violated by a small request, unordered and perhaps repeated. */
  readonly violated: number[];
}

const LARGE_REQUEST = 17;
const MANY_ENTRIES = 2_048;

/** The numbers of the violated policies of a table, ascending. */
function* searchTable(
  table: SodPolicyTable,
  { requested, access, evaluator, budget }: Search,
): Steps<readonly number[]> {
  const isLarge = requested.length >= LARGE_REQUEST || countEntries(table, requested) > MANY_ENTRIES;
  const evaluatedMark = isLarge ? startSides(evaluator, table.policyBySide.length) : 0;
  const evaluated = isLarge ? evaluator.sides.bytes : null;
  const walk: Walk = { table, access, budget, evaluated, evaluatedMark, violated: [] };
  const { starts } = table.entries;
  for (const entitlement of requested) {
    if (access.marks[entitlement] !== access.heldMark) {
      const end = starts[entitlement + 1] ?? 0;
      for (let at = starts[entitlement] ?? 0; at < end; ) {
        at = evaluateEntries(walk, at, end);
        if (isPauseDue(budget, 0)) yield;
      }
    }
    if (isPauseDue(budget, 1 / LIGHT)) yield;
  }
  if (evaluated === null) return sortedOnce(walk.violated);
  for (let from = 0; from < table.policyBySide.length; from += RUN) {
    collectViolated(walk, from);
    if (isPauseDue(budget, RUN / LIGHT)) yield;
  }
  return walk.violated;
}

/**
 * Evaluates entries of a gained entitlement until the budget is spent, and returns the place of the next one. For a pair it
 * evaluates whether an item of the opposite side is held or gained. Other policies need no evaluation: a request cannot cause
 * the violation of a policy without a gained entitlement.
 */
export function evaluateEntries(walk: Walk, from: number, end: number): number {
  const { values } = walk.table.entries;
  const { starts, values: items } = walk.table.sides;
  const { marks, heldMark } = walk.access;
  const { budget, evaluated, evaluatedMark } = walk;
  const room = budget.limit - budget.spent;
  const last = end - from <= room ? end : from + Math.ceil(room);
  readAhead(walk.table, from, last);
  let sideWork = 0;
  let at = from;
  while (at < last) {
    const entry = values[at++] ?? 0;
    const side = entry >>> 1;
    if ((entry & 1) === 1) {
      sideWork += evaluateKOfN(walk, side);
      if (at - from + sideWork >= room) break;
      continue;
    }
    if (evaluated !== null) {
      if ((evaluated[side] ?? 0) >= evaluatedMark) continue;
      evaluated[side] = evaluatedMark;
    }
    const sideEnd = starts[side + 1] ?? 0;
    let item = starts[side] ?? 0;
    while (item < sideEnd && (marks[items[item] ?? 0] ?? 0) < heldMark) item++;
    if (item < sideEnd) noteViolated(walk, side);
  }
  budget.spent += at - from + sideWork;
  return at;
}

function noteViolated({ table, evaluated, evaluatedMark, violated }: Walk, side: number): void {
  if (evaluated === null) violated.push(table.policyBySide[side] ?? 0);
  else evaluated[side] = evaluatedMark + 1;
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

/** Evaluates a policy that is not a pair, once for a large request. Returns the work beside that of the entry. */
function evaluateKOfN(walk: Walk, number: number): number {
  const { evaluated, evaluatedMark } = walk;
  const { marks, heldMark } = walk.access;
  const sides = policySidesAt({ table: walk.table, number });
  const { first, sideCount } = sides;
  if (evaluated !== null) {
    if ((evaluated[first] ?? 0) >= evaluatedMark) return 0;
    evaluated[first] = evaluatedMark;
  }
  const { starts, values } = sides.rows;
  const isOn = (side: number) => {
    const end = starts[first + side + 1] ?? 0;
    let item = starts[first + side] ?? 0;
    while (item < end && (marks[values[item] ?? 0] ?? 0) < heldMark) item++;
    return item < end;
  };
  if (isViolated(sides, isOn)) noteViolated(walk, first);
  return sideCount;
}

// The number of sides skipped between two checks of the budget.
const RUN = 4_096;

function collectViolated({ table: { policyBySide }, evaluated, evaluatedMark, violated }: Walk, from: number): void {
  if (evaluated === null) return;
  const end = Math.min(policyBySide.length, from + RUN);
  for (let side = from; side < end; side++) {
    if (evaluated[side] !== evaluatedMark + 1) continue;
    const policy = policyBySide[side] ?? 0;
    if (violated[violated.length - 1] !== policy) violated.push(policy);
  }
}

/** Sorts numbers in place and removes repetitions. */
export function sortedOnce(numbers: number[]): readonly number[] {
  if (numbers.length < 2) return numbers;
  numbers.sort((a, b) => a - b);
  let length = 0;
  for (const number of numbers) if (length === 0 || numbers[length - 1] !== number) numbers[length++] = number;
  numbers.length = length;
  return numbers;
}
