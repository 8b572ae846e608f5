import type { Interval } from '../../access/model/interval.ts';
import { rowAt } from '../collections/csr-rows.ts';
import { growInto } from '../collections/grow.ts';
import { violatedIntervals } from '../evaluation/is-violated.ts';
import { instantsOf, intervalsOf } from '../evaluation/question.ts';
import { bitsOfRanges, firstCommon, isOn, NEVER, type Timeline } from '../evaluation/timeline.ts';
import type { PolicySides } from '../rulebook/policy-table.ts';
import { type AssignmentIndex, createAssignmentIndexWriter, holdersOf } from './assignment-index.ts';
import { type ConflictFinder, createConflictFinder, createFinderMemory, type HeldConflict } from './find-conflicts.ts';
import type { HeldAccessLists } from './policy-holders.ts';

/** Holders whose access changes with time. */
export interface TimedHoldings {
  /** The holders of each ref that holds at any time. */
  readonly holdings: AssignmentIndex;
  /** Holder `h` has the assignments from `starts[h]` up to, and without, `starts[h + 1]`, in order of their refs. */
  readonly starts: Uint32Array;
  readonly refs: Uint32Array;
  /** When each assignment holds, in milliseconds since 1970: from `from[a]` up to, and without, `to[a]`. */
  readonly from: Float64Array;
  readonly to: Float64Array;
}

/** An assignment by the number of its ref. */
export interface TimedAssignment extends Interval {
  readonly ref: number;
}

/** Builds `TimedHoldings`, holder by holder. */
export interface TimedHoldingsWriter {
  readonly holderCount: number;
  /** The number of assignments written. */
  readonly length: number;
  /** Adds a holder; intervals must not be empty. */
  add(assignments: TimedAssignment[]): void;
  /** Returns the holdings. The writer must not be used afterwards. */
  finish(refCount: number): TimedHoldings;
}

/** Creates a writer without holders. */
export function createTimedHoldingsWriter(): TimedHoldingsWriter {
  const index = createAssignmentIndexWriter();
  const starts: number[] = [0];
  let refs = new Uint32Array(1024);
  let from = new Float64Array(1024);
  let to = new Float64Array(1024);
  let length = 0;
  return {
    get holderCount() {
      return index.holderCount;
    },
    get length() {
      return length;
    },
    add: (assignments) => {
      for (const { ref, startMs, endMs } of assignments.sort((left, right) => left.ref - right.ref)) {
        if (length === refs.length) {
          refs = growInto(refs, new Uint32Array(length * 2));
          from = growInto(from, new Float64Array(length * 2));
          to = growInto(to, new Float64Array(length * 2));
        }
        index.add(ref);
        refs[length] = ref;
        from[length] = startMs;
        to[length] = endMs;
        length += 1;
      }
      index.endHolder();
      starts.push(length);
    },
    finish: (refCount) => ({
      holdings: index.finish(refCount),
      starts: Uint32Array.from(starts),
      refs: refs.subarray(0, length),
      from: from.subarray(0, length),
      to: to.subarray(0, length),
    }),
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
      const candidates = finder.find(sides, withGain);
      if (candidates.length === 0) return candidates;
      const policy = readPolicy(sides);
      const access = { timed, grantingRefs, gain: withGain ? gain : null };
      return candidates.flatMap((candidate) => conflictOverTime(candidate, policy, access) ?? []);
    },
  };
}

interface PolicyItems extends Pick<PolicySides, 'atLeast'> {
  /** The places of the items of each side among those of all sides. */
  readonly sides: readonly (readonly number[])[];
  /** By place. */
  readonly entitlementOf: readonly number[];
}

function readPolicy({ rows, first, sideCount, atLeast }: PolicySides): PolicyItems {
  const entitlementOf: number[] = [];
  const sides = Array.from({ length: sideCount }, (_, side) =>
    Array.from(rowAt(rows, first + side), (entitlement) => entitlementOf.push(entitlement) - 1),
  );
  return { sides, entitlementOf, atLeast };
}

/** What a holder violates a policy by at any time; null if it never does. An item is held or only gained when it first takes part. */
function conflictOverTime(
  { holder, items }: HeldConflict,
  { sides, entitlementOf, atLeast }: PolicyItems,
  { timed, grantingRefs, gain }: TimedAccess,
): HeldConflict | null {
  const all: Interval[] = [];
  const windows = items.map((item) => {
    const entitlement = entitlementOf[item >>> 1] ?? 0;
    const held = windowsOf(timed, holder, rowAt(grantingRefs, entitlement));
    const gained = gain?.entitlements.has(entitlement) === true ? windowsOf(timed, holder, gain.refs) : NO_WINDOWS;
    all.push(...held, ...gained);
    return { held, gained };
  });
  const starts = instantsOf(all, { nowMs: Number.NEGATIVE_INFINITY });
  const count = starts.length;
  // All windows are one, and without end: the items are there together.
  if (count === 2) return { holder, items };
  const bitsOf = (intervals: readonly Interval[]) =>
    bitsOfRanges(
      intervals.map((interval) => intervalsOf(starts, interval)),
      count,
    );
  const timelines = new Map<number, Timeline>();
  for (const [at, { held, gained }] of windows.entries()) {
    const bits = bitsOf(held);
    const any = gained.length === 0 ? bits : bitsOf([...held, ...gained]);
    timelines.set((items[at] ?? 0) >>> 1, { held: bits, any });
  }
  const sidesOverTime = sides.map((places) => places.map((place) => timelines.get(place) ?? NEVER));
  const violated = violatedIntervals({ sides: sidesOverTime, atLeast, intervals: count }, ({ any }) => any);
  if (violated === null) return null;
  const found: number[] = [];
  for (const [place, { held, any }] of timelines) {
    const first = firstCommon(any, violated);
    if (first >= 0) found.push(place * 2 + (isOn(held, first) ? 1 : 0));
  }
  return { holder, items: found };
}

const NO_WINDOWS: readonly Interval[] = [];

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
    let low = starts[holder] ?? 0;
    for (let high = end; low < high; ) {
      const middle = (low + high) >>> 1;
      if ((refs[middle] ?? 0) < ref) low = middle + 1;
      else high = middle;
    }
    for (; low < end && refs[low] === ref; low++) windows.push({ startMs: from[low] ?? 0, endMs: to[low] ?? 0 });
  }
  return windows;
}
