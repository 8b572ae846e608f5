import { addRow, createRowWriter, type Rows, rowAt, rowsOf } from '../collections/rows.ts';
import { indexHolders } from '../population/assignment-index.ts';
import {
  type ConflictFinder,
  createConflictFinder,
  createFinderMemory,
  holderBatches,
} from '../population/find-conflicts.ts';
import type { PolicySides } from '../rulebook/policy-table.ts';
import type { NumberedFocus } from './focus.ts';
import { PAUSE, type Pieces } from './pieces.ts';
import type { LintedPolicy, LintRulebook } from './rulebook.ts';

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
  const { ids } = bundlesOf(search);
  const finderFor = yield* withoutFindings(createFinders(search));
  for (const [policy, linted] of rulebook.policies.entries()) {
    const finder = linted.isEnforced ? finderFor(policy) : null;
    if (finder === null) continue;
    const sides = policySidesOf(linted);
    const bundles: string[] = [];
    for (const batch of holderBatches(finder)) {
      for (const { holder } of batch.find(sides)) bundles.push(ids[holder] ?? '');
      yield null;
    }
    yield { policy, bundles };
  }
}

function policySidesOf({ sides, atLeast }: LintedPolicy): PolicySides {
  const writer = createRowWriter();
  for (const side of sides) addRow(writer, [...side]);
  return { rows: rowsOf(writer), first: 0, sideCount: sides.length, atLeast };
}

function* withoutFindings<T>(pieces: Pieces<T>): Generator<null, T, void> {
  for (let piece = pieces.next(); ; piece = pieces.next()) {
    if (piece.done === true) return piece.value;
    yield null;
  }
}

const bundlesOf = ({ rulebook: { catalogue }, type }: BundleSearch) =>
  type === 'ROLE' ? catalogue.roles : catalogue.accessProfiles;

// Of a batch: a piece of the work takes a fraction of a millisecond.
const LENGTH_MAX = 20_000;

/** Returns, for a policy, what finds bundles as holders of their entitlements, or null if no bundle needs a check. */
function* createFinders(search: BundleSearch): Pieces<(policy: number) => ConflictFinder | null> {
  const { rulebook, focus, type } = search;
  const { entitlements } = bundlesOf(search);
  const marks = type === 'ROLE' ? focus.roles : focus.accessProfiles;
  const entitlementCount = rulebook.catalogue.entitlements.length;
  const memory = createFinderMemory(LENGTH_MAX);
  const finderOf = (rows: Rows) => {
    const holdings = indexHolders(rows, entitlementCount);
    return createConflictFinder({ holdings, grantingRefs: eachItself(entitlementCount) }, null, memory);
  };
  const all = focus.policies.includes(1) ? finderOf(entitlements) : null;
  yield PAUSE;
  // Not needed if every policy is in focus.
  const hasOthers = marks.includes(1) && focus.policies.includes(0);
  const some = hasOthers ? finderOf(yield* onlyMarked(entitlements, marks)) : null;
  return (policy) => (focus.policies[policy] === 1 ? all : some);
}

/** Entitlements that only an assignment of themselves grants. */
function eachItself(count: number): Rows {
  const starts = Uint32Array.from({ length: count + 1 }, (_, number) => number);
  return { starts, values: starts };
}

/** The rows that are marked; the others are empty. */
function* onlyMarked(rows: Rows, marks: Uint8Array): Pieces<Rows> {
  const writer = createRowWriter();
  for (const [row, mark] of marks.entries()) {
    addRow(writer, mark === 1 ? [...rowAt(rows, row)] : []);
    yield PAUSE;
  }
  return rowsOf(writer);
}
