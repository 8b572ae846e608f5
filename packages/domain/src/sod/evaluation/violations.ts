import { intervalOf, isWithin } from '../../access/model/interval.ts';
import type { TimedAccessRef } from '../../access/model/records.ts';
import { type PolicyPlace, type PolicySides, policySidesAt } from '../rulebook/policy-table.ts';
import { policyPlaceAt, type SodIndex } from '../rulebook/sod-index.ts';
import { entitlementsOf, hasEntitlement } from './access.ts';
import type { Part, Question } from './question.ts';
import { type MarkedAccess, search } from './search.ts';
import {
  addBits,
  bitsOf,
  bothOf,
  firstCommon,
  hasMore,
  type IntervalBits,
  isOn,
  NEVER,
  runsOf,
  sweep,
  type Timeline,
  violatedIntervals,
} from './timeline.ts';

/** Chooses items of a policy, each by its place among the items of all sides and by the number of its entitlement. */
export type ChooseItem = (place: number, entitlement: number) => boolean;

/** How an item is shown: not at all, as held at the first violating instant, or as not held then. */
export const NOT_SHOWN = 0;
export const EXISTING = 1;
const GAINED = 2;

/** A violation, in numbers. */
export interface Violation {
  /** The violated policy, as a number of the index. */
  readonly policy: number;
  /** Whether held access alone violates it at any instant that counts. */
  readonly preexisting: boolean;
  /** How each item of the sides of the policy is shown, in their order. */
  readonly shown: Uint8Array;
  /** The intervals with the violation, ascending: the first one of each run and the one after its last; empty if not asked for. */
  readonly runs: readonly number[];
}

/** Limits how much of each violation is computed. */
export interface ViolationDetail {
  /** At one instant, the items of this many violations are looked up; over several, those of all. */
  readonly shownMax: number;
  /** Whether violations have their `runs`. */
  readonly keepsRuns: boolean;
}

/** What a request would violate, in numbers. */
export interface FoundViolations {
  /** When each interval begins in which access does not change, in milliseconds since 1970: one, unless windows count. */
  readonly starts: ArrayLike<number>;
  /**
   * The violations in order of policy ids. Where there are many, and where windows count, each is found when it is asked for;
   * null for a piece of work that finds none.
   */
  readonly violations: Iterable<Violation | null>;
}

/** Finds each policy that held and requested access violate together at an instant that counts. */
export function findViolations(
  index: SodIndex,
  question: Question,
  { shownMax, keepsRuns }: ViolationDetail,
): FoundViolations {
  const { starts, pending } = question;
  const { policies, access } = search(index, searchedOf(question));
  if (policies.length === 0) return { starts, violations: NONE };
  if (starts.length > 1 || pending.length > 0) {
    const sweeping = { timelines: createTimelines(question), intervals: starts.length, keepsRuns };
    return { starts, violations: { [Symbol.iterator]: () => sweepAll(index, policies, sweeping) } };
  }
  // In one interval the marks of the search are the timelines. What is swept later has marks of its own, because those of
  // the catalogue are valid until the next search.
  const areFew = policies.length <= SWEPT_AT_ONCE_MAX;
  const timelineOf = timelinesNow(areFew ? access : { ...access, marks: access.marks.slice() });
  const sweepAt = (policy: number, at: number): Violation | null =>
    at < shownMax ? violationOf(index, policy, { timelineOf, intervals: 1, keepsRuns: true }) : beyond(policy);
  return {
    starts,
    violations: areFew ? policies.map(sweepAt) : { [Symbol.iterator]: () => mapEach(policies, sweepAt) },
  };
}

function* mapEach<T, U>(items: readonly T[], toItem: (item: T, at: number) => U): Generator<U> {
  for (const [at, item] of items.entries()) yield toItem(item, at);
}

const SWEPT_AT_ONCE_MAX = 64;

/** What is pending counts as held in the search: only what a request gains finds policies. */
const searchedOf = (question: Question): Parameters<typeof search>[1] =>
  question.pending.length === 0 ? question : { ...question, timed: [...question.timed, ...question.pending] };

function* sweepAll(
  index: SodIndex,
  policies: readonly number[],
  { timelines, ...sweeping }: Omit<Sweeping, 'timelineOf'> & { readonly timelines: Timelines },
): Generator<Violation | null> {
  for (const policy of policies) {
    yield* timelines.prepare(policySidesAt(policyPlaceAt(index, policy)));
    yield violationOf(index, policy, { ...sweeping, timelineOf: timelines.of });
  }
}

const NONE: readonly Violation[] = [];
const NO_RUNS: readonly number[] = [];
const ONLY_RUN: readonly number[] = [0, 1];
const NO_ITEMS = new Uint8Array();

/** A violation at the only instant that counts, whose items are not looked up. */
const beyond = (policy: number): Violation => ({ policy, preexisting: false, shown: NO_ITEMS, runs: ONLY_RUN });

/** When an entitlement, by its number, is there. */
type TimelineOf = (entitlement: number) => Timeline;

interface Sweeping {
  readonly timelineOf: TimelineOf;
  readonly intervals: number;
  readonly keepsRuns: boolean;
}

/** Evaluates a policy in all intervals; null where it is not violated, or where nothing gained contributes. */
function violationOf(
  index: SodIndex,
  policy: number,
  { timelineOf, intervals, keepsRuns }: Sweeping,
): Violation | null {
  const { rows, first, sideCount, atLeast } = policySidesAt(policyPlaceAt(index, policy));
  const sides: Timeline[][] = [];
  for (let side = first; side < first + sideCount; side++) {
    const items: Timeline[] = [];
    const end = rows.starts[side + 1] ?? 0;
    for (let at = rows.starts[side] ?? 0; at < end; at++) items.push(timelineOf(rows.values[at] ?? 0));
    sides.push(items);
  }
  const swept = sweep({ sides, atLeast });
  if (swept === null) return null;
  const { violated, firsts } = swept;
  const firstViolated = firstCommon(violated, violated);
  const shown = new Uint8Array(firsts.length);
  let isCaused = false;
  let place = 0;
  for (const items of sides)
    for (const { held, before, any } of items) {
      if ((firsts[place] ?? -1) >= 0) {
        shown[place] = isOn(held, firstViolated) ? EXISTING : GAINED;
        isCaused ||= hasMore(any, before, violated);
      }
      place++;
    }
  if (!isCaused) return null;
  const preexisting = violatedIntervals({ sides, atLeast }, 'held') !== null;
  return { policy, preexisting, shown, runs: keepsRuns ? runsOf(violated, intervals) : NO_RUNS };
}

const NOW: IntervalBits = Uint32Array.of(1);
const HELD_NOW: Timeline = { held: NOW, before: NOW, any: NOW };
const GAINED_NOW: Timeline = { ...NEVER, any: NOW };

const timelinesNow =
  ({ marks, heldMark }: MarkedAccess): TimelineOf =>
  (entitlement) => {
    const mark = marks[entitlement] ?? 0;
    return mark < heldMark ? NEVER : mark === heldMark ? HELD_NOW : GAINED_NOW;
  };

/** The timelines of entitlements in windows. */
interface Timelines {
  readonly of: TimelineOf;
  /** Makes those of a policy, with pauses where that takes long. */
  prepare(policy: PolicySides): Generator<null>;
}

// Bounds the timelines that are kept to 16 MiB: all are dropped when it is full.
const KEPT_WORDS_MAX = 2 ** 22;

/** How many parts are examined without a pause: some milliseconds where each has thousands of entitlements and intervals. */
const PARTS_AT_ONCE = 2 ** 13;

function createTimelines({ starts, always, timed, pending, requested }: Question): Timelines {
  const all = bitsOf(starts, [{ startMs: Number.NEGATIVE_INFINITY, endMs: Number.POSITIVE_INFINITY }]);
  const held = [...always.map((entitlements) => ({ entitlements, bits: all })), ...timed];
  const parts = held.length + pending.length + requested.length;
  const keptMax = KEPT_WORDS_MAX / (3 * all.length);
  const kept = new Map<number, Timeline>();
  const timelineOf = (entitlement: number): Timeline => {
    const known = kept.get(entitlement);
    if (known !== undefined) return known;
    const ofHeld = unite(NEVER.held, held, entitlement);
    const before = unite(ofHeld, pending, entitlement);
    const timeline = { held: ofHeld, before, any: unite(before, requested, entitlement) };
    if (kept.size >= keptMax) kept.clear();
    kept.set(entitlement, timeline);
    return timeline;
  };
  return {
    of: timelineOf,
    *prepare({ rows: { starts: places, values }, first, sideCount }) {
      const end = places[first + sideCount] ?? 0;
      let at = places[first] ?? 0;
      if ((end - at) * parts <= PARTS_AT_ONCE) return;
      if (kept.size + end - at > keptMax) kept.clear();
      for (let examined = 0; at < end; at++) {
        const entitlement = values[at] ?? 0;
        if (kept.has(entitlement)) continue;
        timelineOf(entitlement);
        examined += parts;
        if (examined < PARTS_AT_ONCE) continue;
        examined = 0;
        yield null;
      }
    },
  };
}

/** Some intervals, and those of the parts that have an entitlement. Bits are copied only where two are to be united. */
function unite(some: IntervalBits, parts: readonly Part[], entitlement: number): IntervalBits {
  let all = some;
  let own: Uint32Array | null = null;
  for (const { entitlements, bits } of parts) {
    if (!hasEntitlement(entitlements, entitlement)) continue;
    if (own !== null) addBits(own, bits);
    else if (all.length === 0) all = bits;
    else all = own = bothOf(all, bits);
  }
  return all;
}

/** What assignments violate at an instant. */
export interface FoundHeld {
  /** In order of ids. */
  readonly policies: readonly PolicyPlace[];
  /** Whether an item is held. Valid until the next search in an index of the same catalogue. */
  readonly isHeld: ChooseItem;
}

/**
 * Finds what assignments violate at an instant (milliseconds since 1970): what a prediction would find if an identity without
 * access requested all of them.
 */
export function findHeld(index: SodIndex, assignments: readonly TimedAccessRef[], ms: number): FoundHeld {
  const requested = assignments.flatMap((assignment) => {
    const entitlements = isWithin(intervalOf(assignment), ms) ? entitlementsOf(index.catalogue, assignment) : undefined;
    return entitlements === undefined ? [] : [{ entitlements }];
  });
  const { policies, access } = search(index, { always: [], timed: [], requested });
  const { marks, heldMark } = access;
  return {
    policies: policies.map((policy) => policyPlaceAt(index, policy)),
    isHeld: (_, entitlement) => (marks[entitlement] ?? 0) >= heldMark,
  };
}
