import { idCount } from '../collections/id-dictionary.ts';
import { textAt } from '../collections/string-table.ts';
import { mergeViolated, tableOf } from '../evaluation/find-violated.ts';
import type { SodCatalogue } from '../rulebook/catalogue.ts';
import type { SodPolicyTable } from '../rulebook/policy-table.ts';
import type { SodIndex } from '../rulebook/sod-index.ts';
import type { ConflictFinder, HeldConflict } from './find-conflicts.ts';
import type { SodReportChange } from './report.ts';
import {
  type PolicyPlace,
  policySidesAt,
  type ReportPolicy,
  reportedPolicyAt,
  reportedSidesAt,
} from './report-policy.ts';

/** Takes a violation of a policy: its holder, and its items as report lines have them. */
export type TakeViolation = (change: SodReportChange, holder: number, items: readonly number[]) => void;

/** What a report asks of a population, policy by policy. */
export interface ReportEvaluator {
  /** The numbers of the policies that it is about, ascending, which is in code-unit order of their ids. */
  readonly policies: Uint32Array;
  /** The entitlements that those whom it is about gain; null where nobody gains any. */
  readonly gained: ReadonlySet<number> | null;
  /** Whether violations that are there before are left out of the report. */
  readonly isNewOnly: boolean;
  /** Hands over what becomes of the violations of a policy, in order of the holders; of those that the finder has looked at. */
  judge(policy: number, finder: ConflictFinder, take: TakeViolation): void;
  policyAt(policy: number): ReportPolicy;
}

/** The violations that there are. */
export function createScanEvaluator(index: SodIndex): ReportEvaluator {
  const places = placesOf(index);
  return {
    policies: numbersBelow(places.length),
    gained: null,
    isNewOnly: false,
    judge: (policy, finder, take) => {
      for (const { holder, items } of finder.find(placeIn(places, policy))) take('same', holder, items);
    },
    policyAt: (policy) => unchangedPolicy(index.catalogue, placeIn(places, policy)),
  };
}

/** For who gains entitlements: the policies that they would violate then and do not violate now. */
export function createGainEvaluator(index: SodIndex, gained: Uint32Array): ReportEvaluator {
  const places = placesOf(index);
  const entitlements = new Set(gained);
  return {
    // Nobody comes to violate any other.
    policies: numbersBelow(places.length).filter((policy) => hasItem(placeIn(places, policy), entitlements)),
    gained: entitlements,
    isNewOnly: true,
    judge: (policy, finder, take) => {
      const place = placeIn(places, policy);
      takeChanges(finder, [finder.find(place), finder.find(place, true)], take);
    },
    policyAt: (policy) => unchangedPolicy(index.catalogue, placeIn(places, policy)),
  };
}

/** Policies as they are before and after a change, those that count compiled. */
export interface PolicyTables {
  readonly catalogue: SodCatalogue;
  readonly before: SodPolicyTable;
  readonly after: SodPolicyTable;
}

/** What becomes of violations when the policies before give way to those after. A policy bears the name that it has after. */
export function createDryRunEvaluator(tables: PolicyTables): ReportEvaluator {
  const pairs = pairPolicies(tables);
  const conflictsAt = (place: PolicyPlace | null, finder: ConflictFinder) =>
    place === null ? NOBODY : finder.find(place);
  return {
    policies: numbersBelow(pairs.length),
    gained: null,
    isNewOnly: false,
    judge: (policy, finder, take) => {
      const { before, after } = pairIn(pairs, policy);
      takeChanges(finder, [conflictsAt(before, finder), conflictsAt(after, finder)], take);
    },
    policyAt: (policy) => {
      const { before, after, named } = pairIn(pairs, policy);
      return {
        ...reportedPolicyAt(named),
        before: before === null ? null : reportedSidesAt(tables.catalogue, before),
        after: after === null ? null : reportedSidesAt(tables.catalogue, after),
      };
    },
  };
}

const NOBODY: readonly HeldConflict[] = [];

/** Both in order of the holders. */
function takeChanges(
  { end: last }: ConflictFinder,
  [before, after]: readonly [readonly HeldConflict[], readonly HeldConflict[]],
  take: TakeViolation,
): void {
  let next = 0;
  const takeGone = (end: number) => {
    for (let conflict = before[next]; conflict !== undefined && conflict.holder < end; conflict = before[++next])
      take('gone', conflict.holder, conflict.items);
  };
  for (const { holder, items } of after) {
    takeGone(holder);
    const isBefore = before[next]?.holder === holder;
    if (isBefore) next += 1;
    take(isBefore ? 'same' : 'new', holder, items);
  }
  takeGone(last);
}

/** Where the policies of an index are, in order of their ids. */
function placesOf(index: SodIndex): readonly PolicyPlace[] {
  const { compiled, overlay } = index;
  const all = numbersBelow(compiled.levels.length);
  if (overlay === null) return Array.from(all, (number) => ({ table: compiled, number }));
  const violated = mergeViolated(index, [...all], [...numbersBelow(overlay.table.levels.length)]);
  return violated.map((number) => tableOf(index, number));
}

function placeIn(places: readonly PolicyPlace[], policy: number): PolicyPlace {
  const place = places[policy];
  if (place === undefined) throw new Error(`The report has no policy ${policy}.`);
  return place;
}

function hasItem(place: PolicyPlace, entitlements: ReadonlySet<number>): boolean {
  const { rows, first, count } = policySidesAt(place);
  const end = rows.starts[first + count] ?? 0;
  for (let at = rows.starts[first] ?? 0; at < end; at++) if (entitlements.has(rows.values[at] ?? 0)) return true;
  return false;
}

const numbersBelow = (end: number) => Uint32Array.from({ length: end }, (_, number) => number);

/** A policy of a report that changes none: it is the same before and after. */
function unchangedPolicy(catalogue: SodCatalogue, place: PolicyPlace): ReportPolicy {
  const sides = reportedSidesAt(catalogue, place);
  return { ...reportedPolicyAt(place), before: sides, after: sides };
}

/** A policy of two tables. */
interface Pair {
  readonly before: PolicyPlace | null;
  readonly after: PolicyPlace | null;
  readonly named: PolicyPlace;
}

/** In order of the ids. */
function pairPolicies({ before, after }: PolicyTables): readonly Pair[] {
  const pairs: Pair[] = [];
  const [leftEnd, rightEnd] = [idCount(before.ids), idCount(after.ids)];
  for (let [left, right] = [0, 0]; left < leftEnd || right < rightEnd; ) {
    const leftId = left < leftEnd ? textAt(before.ids, left) : null;
    const rightId = right < rightEnd ? textAt(after.ids, right) : null;
    const earlier =
      leftId !== null && (rightId === null || leftId <= rightId) ? { table: before, number: left++ } : null;
    const later = rightId !== null && (leftId === null || rightId <= leftId) ? { table: after, number: right++ } : null;
    const named = later ?? earlier;
    if (named !== null) pairs.push({ before: earlier, after: later, named });
  }
  return pairs;
}

function pairIn(pairs: readonly Pair[], policy: number): Pair {
  const pair = pairs[policy];
  if (pair === undefined) throw new Error(`The report has no policy ${policy}.`);
  return pair;
}
