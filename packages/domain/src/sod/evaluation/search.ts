import type { SodCatalogue } from '../rulebook/catalogue.ts';
import { policySidesAt, type SodPolicyTable } from '../rulebook/policy-table.ts';
import { mergePolicies, type SodIndex } from '../rulebook/sod-index.ts';
import type { Entitlements } from './access.ts';
import type { Question } from './question.ts';
import { isViolated } from './timeline.ts';

/** Access as marks of entitlements: `heldMark` if held, its successor if gained, a lower mark otherwise. */
export interface MarkedAccess {
  readonly marks: Uint8Array;
  readonly heldMark: number;
}

/** What access violates. */
export interface Found {
  /** The violated policies, as numbers of the index, ascending. */
  readonly policies: readonly number[];
  /** Valid until the next search in an index of the same catalogue. */
  readonly access: MarkedAccess;
}

/** What is searched: the parts of a question. */
export type Searched = Pick<Question, 'always'> & {
  readonly [K in 'timed' | 'requested']: readonly { readonly entitlements: Entitlements }[];
};

/**
 * Finds what would be violated if all access of a question held at once: each policy that held and requested access violate
 * together, where something gained contributes to it. No other policies are violated in an interval, as more access never ends
 * a violation. What is requested counts as gained unless it is always held. Only policies that name a gained entitlement are
 * evaluated. Of each table it finds `violatedMax`
 * policies or more, if there are as many.
 */
export function search(
  index: SodIndex,
  { always, timed, requested }: Searched,
  violatedMax = Number.POSITIVE_INFINITY,
): Found {
  const access = startAccess(index.catalogue);
  const { marks, heldMark } = access;
  // What is marked later replaces earlier marks.
  for (const { entitlements } of timed) mark(entitlements, marks, heldMark);
  const gained: number[] = [];
  for (const { entitlements } of requested)
    for (let at = 0; at < entitlements.length; at++) {
      const entitlement = entitlements[at] ?? 0;
      if (marks[entitlement] === heldMark + 1) continue;
      marks[entitlement] = heldMark + 1;
      gained.push(entitlement);
    }
  for (const entitlements of always) mark(entitlements, marks, heldMark);
  const { compiled, overlay } = index;
  const found = { gained, access, violatedMax };
  const violated = searchTable(compiled, { ...found, retired: overlay?.retired ?? NO_NUMBERS });
  if (overlay === null) return { policies: violated, access };
  const changed = searchTable(overlay.table, { ...found, retired: NO_NUMBERS });
  return { policies: mergePolicies(index, violated, changed), access };
}

const NO_NUMBERS: ReadonlySet<number> = new Set();

function mark(entitlements: Entitlements, marks: Uint8Array, value: number): void {
  for (let at = 0; at < entitlements.length; at++) marks[entitlements[at] ?? 0] = value;
}

// Marks of the searches of each catalogue. To clear them for each search would take longer than most searches.
const marksOf = new WeakMap<SodCatalogue, { readonly marks: Uint8Array; heldMark: number }>();

function startAccess(catalogue: SodCatalogue): MarkedAccess {
  const known = marksOf.get(catalogue) ?? { marks: new Uint8Array(catalogue.entitlements.length), heldMark: -1 };
  marksOf.set(catalogue, known);
  known.heldMark += 2;
  if (known.heldMark > 254) {
    known.marks.fill(0);
    known.heldMark = 1;
  }
  return { marks: known.marks, heldMark: known.heldMark };
}

/** Whether a side, by its row, has an item that is held or gained. */
function isOnSide(
  { sides: { starts, values } }: SodPolicyTable,
  side: number,
  { marks, heldMark }: MarkedAccess,
): boolean {
  const end = starts[side + 1] ?? 0;
  let item = starts[side] ?? 0;
  while (item < end && (marks[values[item] ?? 0] ?? 0) < heldMark) item++;
  return item < end;
}

// With more entries it is cheaper to remember which policies were evaluated than to evaluate them again.
const FEW_ENTRIES = 2_048;

interface TableSearch {
  readonly gained: readonly number[];
  readonly access: MarkedAccess;
  readonly violatedMax: number;
  /** Policies that do not count. */
  readonly retired: ReadonlySet<number>;
}

/** The numbers of the violated policies of a table, ascending. */
function searchTable(table: SodPolicyTable, { gained, access, violatedMax, retired }: TableSearch): readonly number[] {
  const { starts, values } = table.entries;
  const { marks, heldMark } = access;
  let entryCount = 0;
  for (const entitlement of gained) entryCount += (starts[entitlement + 1] ?? 0) - (starts[entitlement] ?? 0);
  if (entryCount === 0) return NONE;
  const evaluated = entryCount > FEW_ENTRIES ? new Uint8Array(table.policies.length) : null;
  let left = table.policies.length;
  const violated: number[] = [];
  for (const entitlement of gained) {
    if (marks[entitlement] === heldMark) continue;
    const end = starts[entitlement + 1] ?? 0;
    for (let at = starts[entitlement] ?? 0; at < end; at++) {
      const entry = values[at] ?? 0;
      const isPair = (entry & 1) === 0;
      if (evaluated !== null) {
        const policy = isPair ? (table.policyBySide[entry >>> 1] ?? 0) : entry >>> 1;
        if (evaluated[policy] === 1) continue;
        evaluated[policy] = 1;
        left -= 1;
      }
      // The side of the gained entitlement is on: of a pair the opposite one decides.
      const isOne = isPair ? isOnSide(table, entry >>> 1, access) : isPolicyViolated(table, entry >>> 1, access);
      if (!isOne) continue;
      const policy = isPair ? (table.policyBySide[entry >>> 1] ?? 0) : entry >>> 1;
      if (!retired.has(policy)) violated.push(policy);
    }
    if (violated.length >= violatedMax || left === 0) break;
  }
  if (violated.length < 2) return violated;
  return violated.sort((a, b) => a - b).filter((number, at) => number !== violated[at - 1]);
}

const NONE: readonly number[] = [];

function isPolicyViolated(table: SodPolicyTable, number: number, access: MarkedAccess): boolean {
  const sides = policySidesAt({ table, number });
  return isViolated(sides, (side) => isOnSide(table, sides.first + side, access));
}
