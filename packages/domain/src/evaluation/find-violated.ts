import type { CsrRows } from '../collections/csr-rows.ts';
import { startEpoch } from '../collections/epoch-set.ts';
import type { KOfNPolicies } from '../rulebook/k-of-n-policies.ts';
import type { SodPolicyTable } from '../rulebook/policy-table.ts';
import type { SodIndex } from '../rulebook/sod-index.ts';
import { evaluateSides } from './find-k-of-n.ts';
import type { MarkedAccess } from './marked-access.ts';

/** What `evaluateOppositeSides` reads and writes. */
export interface Walk {
  readonly table: SodPolicyTable;
  readonly access: MarkedAccess;
  /** A mark per side; null where judging a side again is cheaper than remembering that it was judged. */
  readonly judged: Uint8Array | null;
  readonly judgedMark: number;
  /** The policies found violated, unordered and perhaps repeated. */
  readonly violated: number[];
}

/**
 * Judges a stretch of the rivals of a gained entitlement. Only these need a look: a policy without any entitlement
 * gained is not caused, whatever is held.
 */
export function evaluateOppositeSides(walk: Walk, from: number, end: number): void {
  const { oppositeSides, sides } = walk.table;
  const { marks, heldMark } = walk.access;
  const { judged, judgedMark } = walk;
  readAhead(walk.table, from, end);
  for (let at = from; at < end; at++) {
    const rival = oppositeSides.values[at] ?? 0;
    if (judged !== null) {
      if (judged[rival] === judgedMark) continue;
      judged[rival] = judgedMark;
    }
    const rivalEnd = sides.starts[rival + 1] ?? 0;
    for (let item = sides.starts[rival] ?? 0; item < rivalEnd; item++) {
      if ((marks[sides.values[item] ?? 0] ?? 0) < heldMark) continue;
      walk.violated.push(rival >>> 1);
      break;
    }
  }
}

// Judging a side waits for its items before it comes to the next side: in a large table each wait is one for memory.
// Reading has nothing to wait for, so that these waits coincide.
function readAhead({ oppositeSides, sides, lastRead }: SodPolicyTable, from: number, end: number): void {
  let sum = 0;
  for (let at = from; at < end; at++) {
    const start = sides.starts[oppositeSides.values[at] ?? 0] ?? 0;
    sum = (sum + (sides.values[start] ?? 0)) | 0;
  }
  lastRead[0] = sum;
}

/** How many sides these entitlements lead to at most. */
export function countOppositeSides({ compiled, overlay }: SodIndex, entitlements: Uint32Array): number {
  const inOverlay = overlay === null ? 0 : countIn(overlay.table, entitlements);
  return countIn(compiled, entitlements) + inOverlay;
}

/** The policies violated, each once and sorted by id, as numbers that `tableOf` takes. */
export function findViolated(index: SodIndex, requested: Uint32Array, access: MarkedAccess): readonly number[] {
  const { compiled, overlay } = index;
  const violated = findIn(compiled, requested, access);
  if (overlay === null) return unique(violated);
  return mergeViolated(index, unique(violated), unique(findIn(overlay.table, requested, access)));
}

/** Merges what was found violated, each list sorted and unique, leaving out compiled policies that were changed. */
export function mergeViolated(
  { compiled, overlay }: SodIndex,
  violated: readonly number[],
  changed: readonly number[],
): readonly number[] {
  if (overlay === null) return violated;
  const merged: number[] = [];
  let next = 0;
  const takeChanged = (before: number) => {
    for (; next < changed.length && (overlay.places[changed[next] ?? 0] ?? 0) <= before; next++) {
      merged.push(compiled.levels.length + (changed[next] ?? 0));
    }
  };
  for (const number of violated) {
    takeChanged(number);
    if (!overlay.retired.has(number)) merged.push(number);
  }
  takeChanged(compiled.levels.length);
  return merged;
}

/** Where a policy found violated is: in a table, under its number there. */
export function tableOf(
  { compiled, overlay }: SodIndex,
  violated: number,
): { readonly table: SodPolicyTable; readonly number: number } {
  const number = violated - compiled.levels.length;
  return overlay === null || number < 0 ? { table: compiled, number: violated } : { table: overlay.table, number };
}

// Below this size judging a side again is cheaper than remembering that it was judged.
const LARGE_REQUEST = 17;

function findIn(table: SodPolicyTable, requested: Uint32Array, access: MarkedAccess): number[] {
  const isLarge = requested.length >= LARGE_REQUEST;
  const violated: number[] = [];
  const judged = isLarge ? table.judged.bytes : null;
  const walk = { table, access, judged, judgedMark: isLarge ? startEpoch(table.judged) : 0, violated };
  const { starts } = table.oppositeSides;
  const { marks, heldMark } = access;
  for (let i = 0; i < requested.length; i++) {
    const entitlement = requested[i] ?? 0;
    if (marks[entitlement] !== heldMark)
      evaluateOppositeSides(walk, starts[entitlement] ?? 0, starts[entitlement + 1] ?? 0);
  }
  if (table.wide !== null) findKOfN(table.wide, requested, { access, violated });
  return violated;
}

function findKOfN(
  wide: KOfNPolicies,
  requested: Uint32Array,
  { access, violated }: { readonly access: MarkedAccess; readonly violated: number[] },
): void {
  const walk = { wide, access, judged: wide.judged.bytes, judgedMark: startEpoch(wide.judged), violated };
  const { starts } = wide.sidesByEntitlement;
  const { marks, heldMark } = access;
  for (let i = 0; i < requested.length; i++) {
    const entitlement = requested[i] ?? 0;
    if (marks[entitlement] !== heldMark) evaluateSides(walk, starts[entitlement] ?? 0, starts[entitlement + 1] ?? 0);
  }
}

// A side of a k-of-n policy leads to all the sides of that policy.
function countIn({ oppositeSides, wide }: SodPolicyTable, entitlements: Uint32Array): number {
  const count = countEntries(oppositeSides, entitlements);
  return wide === null ? count : count + countEntries(wide.sidesByEntitlement, entitlements) * wide.sideCountMax;
}

function countEntries({ starts }: CsrRows, entitlements: Uint32Array): number {
  let count = 0;
  for (let i = 0; i < entitlements.length; i++) {
    const entitlement = entitlements[i] ?? 0;
    count += (starts[entitlement + 1] ?? 0) - (starts[entitlement] ?? 0);
  }
  return count;
}

function unique(numbers: number[]): number[] {
  if (numbers.length < 2) return numbers;
  numbers.sort(ascending);
  let length = 0;
  for (const number of numbers) if (length === 0 || numbers[length - 1] !== number) numbers[length++] = number;
  numbers.length = length;
  return numbers;
}

const ascending = (a: number, b: number) => a - b;
