import { type CsrRows, createRowWriter, endRow, pushNumber, rowAt, rowsOf } from '../collections/csr-rows.ts';
import { idCount } from '../collections/id-dictionary.ts';
import { invertRows } from '../collections/invert-rows.ts';
import { textAt } from '../collections/string-table.ts';
import type { NumberedFocus } from './focus.ts';
import { PAUSE, type Pieces } from './pieces.ts';
import type { LintRulebook } from './rulebook.ts';

/** What is searched: bundles of one type in a rulebook, for a focus. */
interface BundleSearch {
  readonly rulebook: LintRulebook;
  readonly focus: NumberedFocus;
  readonly type: 'ACCESS_PROFILE' | 'ROLE';
}

/** Bundles that violate a policy by themselves. */
export interface SelfViolating {
  /** The number of the policy. */
  readonly policy: number;
  /** Ids, in order. */
  readonly bundles: readonly string[];
}

/**
 * Finds bundles of one type that violate an enforced policy by themselves: all for a policy in focus, else those in focus.
 * Yields what it finds, policy by policy, and null after each piece of the work without a finding.
 */
export function* findSelfViolating(search: BundleSearch): Generator<SelfViolating | null, void, void> {
  const { rulebook } = search;
  const { ids } = bundlesOf(search).numbers;
  const byItem = yield* withoutFindings(indexBundles(search));
  const tally = { counts: new Uint8Array(idCount(ids)), lastSides: new Uint32Array(idCount(ids)) };
  for (const [policy, { isEnforced, atLeast }] of rulebook.policies.entries()) {
    const holders = isEnforced ? byItem(policy) : null;
    if (holders === null) continue;
    const found: number[] = [];
    const firstSide = rulebook.sideStarts[policy] ?? 0;
    const end = rulebook.sideStarts[policy + 1] ?? 0;
    for (let side = firstSide; side < end; side++) {
      for (const item of rowAt(rulebook.sides, side)) {
        // An unresolved item is in no row: the last number stands for the empty row after all others.
        const bundles = rowAt(holders, Math.min(item, holders.starts.length - 1));
        countSide(tally, bundles, { side, firstSide, found });
      }
      yield null;
    }
    const violating = found.filter((bundle) => (tally.counts[bundle] ?? 0) >= atLeast);
    violating.sort((a, b) => a - b);
    yield { policy, bundles: violating.map((bundle) => textAt(ids, bundle)) };
  }
}

function* withoutFindings<T>(pieces: Pieces<T>): Generator<null, T, void> {
  for (let piece = pieces.next(); ; piece = pieces.next()) {
    if (piece.done === true) return piece.value;
    yield null;
  }
}

const bundlesOf = ({ rulebook: { catalogue }, type }: BundleSearch) =>
  type === 'ROLE' ? catalogue.roles : catalogue.accessProfiles;

/** Returns, for a policy, the bundles by entitlement, or null if no bundle needs a check. */
function* indexBundles(search: BundleSearch): Pieces<(policy: number) => CsrRows | null> {
  const { rulebook, focus, type } = search;
  const { entitlements } = bundlesOf(search);
  const marks = type === 'ROLE' ? focus.roles : focus.accessProfiles;
  const inversion = { valueEnd: idCount(rulebook.catalogue.numbers.ids) };
  const all = focus.policies.includes(1) ? invertRows(entitlements, inversion) : null;
  yield PAUSE;
  // Not needed if every policy is in focus.
  const hasOthers = marks.includes(1) && focus.policies.includes(0);
  const some = hasOthers ? invertRows(yield* onlyMarked(entitlements, marks), inversion) : null;
  return (policy) => (focus.policies[policy] === 1 ? all : some);
}

/** The rows that are marked; the others are empty. */
function* onlyMarked(rows: CsrRows, marks: Uint8Array): Pieces<CsrRows> {
  const writer = createRowWriter();
  for (const [row, mark] of marks.entries()) {
    for (const value of mark === 1 ? rowAt(rows, row) : []) pushNumber(writer, value);
    endRow(writer);
    yield PAUSE;
  }
  return rowsOf(writer);
}

/** On how many sides of the current policy each bundle is. */
interface Tally {
  readonly counts: Uint8Array;
  /** The side counted last, plus one; up to the first side of the current policy it belongs to an earlier policy. */
  readonly lastSides: Uint32Array;
}

interface CurrentSide {
  readonly side: number;
  readonly firstSide: number;
  /** Collects the bundles that are on any side of the policy. */
  readonly found: number[];
}

// Counts the sides of all bundles at once: the predicate of one holder would visit each bundle for each policy.
function countSide({ counts, lastSides }: Tally, bundles: Uint32Array, { side, firstSide, found }: CurrentSide): void {
  for (let at = 0; at < bundles.length; at++) {
    const bundle = bundles[at] ?? 0;
    const last = lastSides[bundle] ?? 0;
    if (last === side + 1) continue;
    lastSides[bundle] = side + 1;
    if (last <= firstSide) {
      counts[bundle] = 1;
      found.push(bundle);
    } else counts[bundle] = (counts[bundle] ?? 0) + 1;
  }
}
