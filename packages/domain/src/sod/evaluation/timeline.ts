import type { Interval } from '../../access/model/interval.ts';
import { countBefore } from '../../basics/order/count-before.ts';
import { SOD_POLICY_SIDES_MAX } from '../../policies/model.ts';

/** Some of successive intervals: a bit for each, 32 in a word. Without words it is none. */
export type IntervalBits = Uint32Array;

/** When something is there. */
export interface Timeline {
  /** The intervals in which it is held. */
  readonly held: IntervalBits;
  /** The intervals in which it is held, or pending since an earlier request. */
  readonly before: IntervalBits;
  /** The intervals in which it is held, pending or requested. */
  readonly any: IntervalBits;
}

const NO_INTERVAL: IntervalBits = new Uint32Array();

/** Of what is there in no interval. */
export const NEVER: Timeline = { held: NO_INTERVAL, before: NO_INTERVAL, any: NO_INTERVAL };

/** Successive intervals: the first one, and the one after the last. */
export interface IntervalRange {
  readonly from: number;
  readonly end: number;
}

/** The intervals within a window, each of them wholly in it or not at all. */
export const intervalsOf = (starts: ArrayLike<number>, { startMs, endMs }: Interval): IntervalRange => ({
  from: countBefore(starts.length, (at) => (starts[at] ?? 0) < startMs),
  end: countBefore(starts.length, (at) => (starts[at] ?? 0) < endMs),
});

/** The intervals within windows; `starts` has the beginnings of all. */
export function bitsOf(starts: ArrayLike<number>, windows: readonly Interval[]): IntervalBits {
  const bits = new Uint32Array(Math.ceil(starts.length / 32));
  for (const window of windows) {
    const { from, end } = intervalsOf(starts, window);
    for (let interval = from; interval < end; interval++)
      bits[interval >>> 5] = (bits[interval >>> 5] ?? 0) | (1 << (interval & 31));
  }
  return bits;
}

/** Adds intervals to others. */
export function addBits(to: Uint32Array, bits: IntervalBits): void {
  for (let word = 0; word < bits.length; word++) to[word] = (to[word] ?? 0) | (bits[word] ?? 0);
}

/** The intervals of two; a copy only where both have words. */
export function bothOf(left: IntervalBits, right: IntervalBits): IntervalBits {
  if (left.length === 0 || right.length === 0) return left.length === 0 ? right : left;
  const both = left.slice();
  addBits(both, right);
  return both;
}

/** Whether an interval is among these; false beyond them. */
export const isOn = (bits: IntervalBits, interval: number): boolean =>
  interval >= 0 && (((bits[interval >>> 5] ?? 0) >>> (interval & 31)) & 1) === 1;

/** The first interval that two have in common; -1 for none. */
export function firstCommon(left: IntervalBits, right: IntervalBits): number {
  for (let word = 0; word < left.length; word++) {
    const common = (left[word] ?? 0) & (right[word] ?? 0);
    if (common !== 0) return word * 32 + 31 - Math.clz32(common & -common);
  }
  return -1;
}

/** Whether some of these intervals is among given ones, but not among others. */
export function hasMore(bits: IntervalBits, others: IntervalBits, among: IntervalBits): boolean {
  for (let word = 0; word < bits.length; word++)
    if (((bits[word] ?? 0) & (among[word] ?? 0) & ~(others[word] ?? 0)) !== 0) return true;
  return false;
}

/** The runs of intervals: the first one of each, and the one after its last. */
export function runsOf(bits: IntervalBits, intervals: number): readonly number[] {
  const runs: number[] = [];
  for (let interval = 0; interval <= intervals; interval++)
    if (isOn(bits, interval) !== isOn(bits, interval - 1)) runs.push(interval);
  return runs;
}

/**
 * The number of sides of a policy (n, 1 to 10) and the number on which a holder violates it (k). A pair has 2 and 2, a
 * critical-access policy 1 and 1.
 */
export interface ViolationRule {
  readonly sideCount: number;
  readonly atLeast: number;
}

const ALL = -1;

/**
 * The rule of all policies, at least k of n sides, for 32 intervals, or 32 holders, at once: `wordOf` gives of each side, from
 * 0 on, a word with a bit for each in which an item of it is there. The word returned has a bit for each with at least
 * `atLeast` such sides.
 */
export function violatedWord({ sideCount, atLeast }: ViolationRule, wordOf: (side: number) => number): number {
  for (let count = 0; count <= atLeast; count++) reached[count] = 0;
  let off = 0;
  for (let side = 0; side < sideCount && reached[atLeast] !== ALL; side++) {
    const word = wordOf(side);
    if (word === 0 && ++off > sideCount - atLeast) return 0;
    for (let count = atLeast; count > 1; count--)
      reached[count] = (reached[count] ?? 0) | ((reached[count - 1] ?? 0) & word);
    reached[1] = (reached[1] ?? 0) | word;
  }
  return reached[atLeast] ?? 0;
}

// Entry k: those with at least k sides so far. Used within one call only.
const reached = new Int32Array(SOD_POLICY_SIDES_MAX + 1);

/** Whether a rule is violated: `isOnSide` is true for at least `atLeast` of its sides, which are numbered from 0. */
export const isViolated = (rule: ViolationRule, isOnSide: (side: number) => boolean): boolean =>
  violatedWord(rule, (side) => (isOnSide(side) ? ALL : 0)) === ALL;

/** Fills words by the rule, from the words of each side; one that is shorter is on in nothing beyond. Null if no bit is set. */
export function violatedWords(atLeast: number, sides: readonly Uint32Array[], into: Uint32Array): Uint32Array | null {
  const rule = { sideCount: sides.length, atLeast };
  let any = 0;
  if (sides.length === 2 && atLeast === 2) any = commonWords(sides[0] ?? NO_INTERVAL, sides[1] ?? NO_INTERVAL, into);
  else
    for (let word = 0; word < into.length; word++) {
      const bits = violatedWord(rule, (side) => sides[side]?.[word] ?? 0);
      into[word] = bits;
      any |= bits;
    }
  return any === 0 ? null : into;
}

/** The rule of pairs, as most policies are: a few thousand words for each policy of a scan. */
function commonWords(left: Uint32Array, right: Uint32Array, into: Uint32Array): number {
  let any = 0;
  for (let word = 0; word < into.length; word++) {
    const bits = (left[word] ?? 0) & (right[word] ?? 0);
    into[word] = bits;
    any |= bits;
  }
  return any;
}

/** The items of a policy by side: when each is there. */
export interface SidesOverTime {
  readonly atLeast: number;
  readonly sides: readonly (readonly Timeline[])[];
}

/** The intervals in which items of enough sides are there together, or are held together; null if there are none. */
export function violatedIntervals({ sides, atLeast }: SidesOverTime, by: keyof Timeline): IntervalBits | null {
  const bySide = sides.map((timelines) => unitedBits(timelines, by));
  const words = bySide.reduce((most, { length }) => Math.max(most, length), 0);
  return violatedWords(atLeast, bySide, new Uint32Array(words));
}

/** A policy that is violated over time. */
export interface Swept {
  /** The intervals with the violation. */
  readonly violated: IntervalBits;
  /** Of each item, side after side: the first of these intervals in which it is there; -1 for none. */
  readonly firsts: readonly number[];
}

/** The sweep over intervals, of which an instant is one; null for a policy that is not violated in any. */
export function sweep(policy: SidesOverTime): Swept | null {
  const violated = violatedIntervals(policy, 'any');
  if (violated === null) return null;
  const firsts: number[] = [];
  for (const items of policy.sides) for (const { any } of items) firsts.push(firstCommon(any, violated));
  return { violated, firsts };
}

function unitedBits(timelines: readonly Timeline[], by: keyof Timeline): IntervalBits {
  let all: Uint32Array | null = null;
  // Most sides have one item that is there, and many have items that come and go together: their bits are used as they are.
  let last = NO_INTERVAL;
  for (const timeline of timelines) {
    const bits = timeline[by];
    if (bits === last || bits.length === 0) continue;
    if (last !== NO_INTERVAL) {
      all ??= last.slice();
      addBits(all, bits);
    }
    last = bits;
  }
  return all ?? last;
}
