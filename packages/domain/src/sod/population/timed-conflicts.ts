import type { Interval } from '../../access/model/interval.ts';
import { growInto } from '../collections/grow.ts';
import { type PolicyPlace, type PolicySides, policySidesAt } from '../rulebook/policy-table.ts';
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
 * Creates a finder of those who violate a policy at any time; the items are those that they hold then. What they hold at any
 * time, taken together, tells who may violate it. Then the windows of the items of the policy are swept, and no others.
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
    find: (place, withGain = false) => {
      const candidates = finder.find(place, withGain);
      if (candidates.length === 0) return candidates;
      const policy = readPolicy(place);
      const access = { timed, grantingRefs, gain: withGain ? gain : null };
      return candidates.flatMap((candidate) => conflictOverTime(candidate, policy, access) ?? []);
    },
  };
}

interface PolicyItems extends PolicySides {
  /** By the place of an item among those of all sides. */
  readonly sideOf: readonly number[];
  readonly entitlementOf: readonly number[];
}

function readPolicy(place: PolicyPlace): PolicyItems {
  const sides = policySidesAt(place);
  const sideOf: number[] = [];
  const entitlementOf: number[] = [];
  for (let side = 0; side < sides.sideCount; side++) {
    const end = sides.rows.starts[sides.first + side + 1] ?? 0;
    for (let at = sides.rows.starts[sides.first + side] ?? 0; at < end; at++) {
      sideOf.push(side);
      entitlementOf.push(sides.rows.values[at] ?? 0);
    }
  }
  return { ...sides, sideOf, entitlementOf };
}

/** An item begins (1) or ends (-1) to be held, or to be gained. */
interface Turn {
  readonly ms: number;
  /** Its position among the items of the candidate. */
  readonly item: number;
  readonly by: 1 | -1;
  readonly isGain: boolean;
}

/** What a holder violates a policy by at any time; null if it never does. */
function conflictOverTime(
  { holder, items }: HeldConflict,
  policy: PolicyItems,
  { timed, grantingRefs, gain }: TimedAccess,
): HeldConflict | null {
  const turns: Turn[] = [];
  const addTurns = (assignment: number, item: number, isGain: boolean) => {
    turns.push({ ms: timed.from[assignment] ?? 0, item, by: 1, isGain });
    const ms = timed.to[assignment] ?? 0;
    if (ms < Number.POSITIVE_INFINITY) turns.push({ ms, item, by: -1, isGain });
  };
  for (const [item, shown] of items.entries()) {
    const entitlement = policy.entitlementOf[shown >>> 1] ?? 0;
    const end = grantingRefs.starts[entitlement + 1] ?? 0;
    for (let at = grantingRefs.starts[entitlement] ?? 0; at < end; at++)
      eachAssignment(timed, holder, grantingRefs.values[at] ?? 0, (assignment) => addTurns(assignment, item, false));
    if (gain?.entitlements.has(entitlement) !== true) continue;
    for (const ref of gain.refs) eachAssignment(timed, holder, ref, (assignment) => addTurns(assignment, item, true));
  }
  const found = sweep(turns, items, policy);
  return found.length === 0 ? null : { holder, items: found };
}

/** Visits the assignments of a ref to a holder. */
function eachAssignment(
  { starts, refs }: TimedHoldings,
  holder: number,
  ref: number,
  visit: (assignment: number) => void,
): void {
  const end = starts[holder + 1] ?? 0;
  let low = starts[holder] ?? 0;
  for (let high = end; low < high; ) {
    const middle = (low + high) >>> 1;
    if ((refs[middle] ?? 0) < ref) low = middle + 1;
    else high = middle;
  }
  for (; low < end && refs[low] === ref; low++) visit(low);
}

/** The items that are there while enough sides are. The first such instant decides whether an item is held or only gained. */
function sweep(
  turns: Turn[],
  items: readonly number[],
  { sideOf, sideCount, atLeast }: PolicyItems,
): readonly number[] {
  turns.sort((left, right) => left.ms - right.ms);
  const held = new Uint32Array(items.length);
  const gained = new Uint32Array(items.length);
  const ofSide = new Uint32Array(sideCount);
  const found = new Map<number, number>();
  for (let at = 0; at < turns.length; ) {
    const ms = turns[at]?.ms;
    for (let turn = turns[at]; turn !== undefined && turn.ms === ms; turn = turns[++at]) {
      const { item, by, isGain } = turn;
      const counts = isGain ? gained : held;
      counts[item] = (counts[item] ?? 0) + by;
      const side = sideOf[(items[item] ?? 0) >>> 1] ?? 0;
      ofSide[side] = (ofSide[side] ?? 0) + by;
    }
    let sides = 0;
    for (let side = 0; side < sideCount; side++) if ((ofSide[side] ?? 0) > 0) sides += 1;
    if (sides < atLeast) continue;
    for (let item = 0; item < items.length; item++) {
      const isHeld = (held[item] ?? 0) > 0;
      const place = (items[item] ?? 0) >>> 1;
      if ((isHeld || (gained[item] ?? 0) > 0) && !found.has(place)) found.set(place, place * 2 + (isHeld ? 1 : 0));
    }
    if (found.size === items.length) break;
  }
  return [...found.values()].sort((left, right) => left - right);
}
