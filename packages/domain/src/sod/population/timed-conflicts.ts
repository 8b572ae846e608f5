import { type Interval, intervalOf } from '../../access/model/interval.ts';
import type { TimedAccessRef } from '../../access/model/records.ts';
import { countBefore } from '../../basics/order/count-before.ts';
import { rowAt } from '../collections/rows.ts';
import { type ItemsInTime, sweepAccess } from '../evaluation/sweep-sides.ts';
import type { PolicySides } from '../rulebook/policy-table.ts';
import { type AssignmentIndex, createAssignmentIndexWriter, holdersOf } from './assignment-index.ts';
import {
  type ConflictFinder,
  createConflictFinder,
  createFinderMemory,
  type HeldAccessLists,
  type HeldConflict,
} from './find-conflicts.ts';
import { itemCode, placeOfItem } from './item-code.ts';
import { type AccessRefTable, internRef } from './ref-table.ts';

/** Holders whose access changes with time. */
export interface TimedHoldings {
  /** The holders of each ref that holds at any time. */
  readonly holdings: AssignmentIndex;
  /** Holder `h` has the assignments from `starts[h]` up to, and without, `starts[h + 1]`, in order of their refs. */
  readonly starts: readonly number[];
  readonly refs: readonly number[];
  /** When each assignment holds, in milliseconds since 1970: from `from[a]` up to, and without, `to[a]`. */
  readonly from: readonly number[];
  readonly to: readonly number[];
}

/** An assignment by the number of its ref. */
export interface TimedAssignment extends Interval {
  readonly ref: number;
}

/** The instants that count, in milliseconds since 1970. */
export interface CountedTime {
  readonly fromMs: number;
  /** Whether `fromMs` is the only instant; else all from then on count. */
  readonly isInstant: boolean;
}

/** The assignments of a holder that hold at some instant that counts, by the numbers of a table, which grows. */
export function timedAssignmentsOf(
  access: readonly TimedAccessRef[],
  refs: AccessRefTable,
  { fromMs, isInstant }: CountedTime,
): TimedAssignment[] {
  return access.flatMap((assignment): TimedAssignment[] => {
    const interval = intervalOf(assignment);
    const startMs = Math.max(interval.startMs, fromMs);
    if (startMs >= interval.endMs || (isInstant && startMs > fromMs)) return [];
    const { type, id } = assignment;
    const ref = internRef(refs, type, { text: id, start: 0, end: id.length });
    return [{ ref, startMs, endMs: interval.endMs }];
  });
}

/** Builds `TimedHoldings`, holder by holder. */
export interface TimedHoldingsWriter {
  /** Adds a holder; intervals must not be empty. */
  add(assignments: TimedAssignment[]): void;
  /** Returns the holdings. The writer must not be used afterwards. */
  finish(refCount: number): TimedHoldings;
}

/** Creates a writer without holders. */
export function createTimedHoldingsWriter(): TimedHoldingsWriter {
  const index = createAssignmentIndexWriter();
  const starts = [0];
  const refs: number[] = [];
  const from: number[] = [];
  const to: number[] = [];
  return {
    add: (assignments) => {
      for (const { ref, startMs, endMs } of assignments.sort((left, right) => left.ref - right.ref)) {
        index.add(ref);
        refs.push(ref);
        from.push(startMs);
        to.push(endMs);
      }
      index.endHolder();
      starts.push(refs.length);
    },
    finish: (refCount) => ({ holdings: index.finish(refCount), starts, refs, from, to }),
  };
}

/** Entitlements that holders gain while they hold one of some refs. */
export interface TimedGain {
  readonly entitlements: ReadonlySet<number>;
  readonly refs: readonly number[];
}

interface TimedAccess {
  readonly timed: TimedHoldings;
  readonly grantingRefs: HeldAccessLists['grantingRefs'];
  readonly gain: TimedGain | null;
}

/**
 * Creates a finder of the holders that violate a policy at any time, with the items that they hold then. A holder is a
 * candidate if its access of all times together violates the policy; only the windows of candidates are compared.
 */
export function createTimedConflictFinder(
  { timed, grantingRefs, gain }: TimedAccess,
  memory = createFinderMemory(),
): ConflictFinder {
  const { holdings } = timed;
  const gained = gain === null ? null : { entitlements: gain.entitlements, holders: holdersOf(holdings, gain.refs) };
  const finder = createConflictFinder({ holdings, grantingRefs }, gained, memory);
  return {
    get end() {
      return finder.end;
    },
    nextBatch: finder.nextBatch,
    find: (sides, withGain = false) => {
      const access = { timed, grantingRefs, gain: withGain ? gain : null };
      return finder.find(sides, withGain).flatMap((candidate) => conflictOverTime(candidate, sides, access) ?? []);
    },
  };
}

/** What a holder violates a policy by at any time; null if it never does. An item is held or only gained when it first takes part. */
function conflictOverTime(
  { holder, items }: HeldConflict,
  { rows: { starts, values }, first, sideCount, atLeast }: PolicySides,
  { timed, grantingRefs, gain }: TimedAccess,
): HeldConflict | null {
  const start = starts[first] ?? 0;
  const places = items.map(placeOfItem);
  const sides = Array.from({ length: sideCount }, (_, side) => {
    const from = (starts[first + side] ?? 0) - start;
    const end = (starts[first + side + 1] ?? 0) - start;
    return places.filter((place) => place >= from && place < end);
  });
  const access = places.flatMap((place): readonly ItemsInTime<number>[] => {
    const entitlement = values[start + place] ?? 0;
    const held = { items: [place], intervals: windowsOf(timed, holder, rowAt(grantingRefs, entitlement)) };
    if (gain?.entitlements.has(entitlement) !== true) return [held];
    return [held, { items: [place], intervals: windowsOf(timed, holder, gain.refs), isGained: true }];
  });
  const swept = sweepAccess({ sides, atLeast }, access, Number.NEGATIVE_INFINITY);
  return swept && { holder, items: swept.items.map(({ item, isHeld }) => itemCode(item, isHeld)) };
}

/** When a holder has any of these refs. */
function windowsOf(
  { starts, refs, from, to }: TimedHoldings,
  holder: number,
  wanted: ArrayLike<number>,
): readonly Interval[] {
  const windows: Interval[] = [];
  const end = starts[holder + 1] ?? 0;
  for (let at = 0; at < wanted.length; at++) {
    const ref = wanted[at] ?? 0;
    let place = countBefore(end, (each) => (refs[each] ?? 0) < ref, starts[holder]);
    for (; place < end && refs[place] === ref; place++)
      windows.push({ startMs: from[place] ?? 0, endMs: to[place] ?? 0 });
  }
  return windows;
}
