import type { IntervalRange } from './question.ts';

/** Some of the intervals of a question: a bit for each, 32 in a word. Without words it is none. */
export type IntervalBits = Uint32Array;

const NO_INTERVAL: IntervalBits = new Uint32Array();

/** When an entitlement is there. */
export interface Timeline {
  /** The intervals in which it is held. */
  readonly held: IntervalBits;
  /** The intervals in which it is held or requested. */
  readonly any: IntervalBits;
}

/** Of what is there in no interval. */
export const NEVER: Timeline = { held: NO_INTERVAL, any: NO_INTERVAL };

/** None of some intervals, to which others can be added. */
export const noIntervals = (intervals: number): Uint32Array => new Uint32Array(Math.ceil(intervals / 32));

/** The intervals of ranges as bits. */
export function bitsOfRanges(ranges: readonly IntervalRange[], intervals: number): IntervalBits {
  const bits = noIntervals(intervals);
  for (const { from, end } of ranges) {
    for (let word = from >>> 5; word * 32 < end; word++) {
      const first = Math.max(0, from - word * 32);
      const last = Math.min(32, end - word * 32);
      bits[word] = (bits[word] ?? 0) | ((-1 << first) & (-1 >>> (32 - last)));
    }
  }
  return bits;
}

/** Adds intervals to others. */
export function addBits(to: Uint32Array, bits: IntervalBits): void {
  for (let word = 0; word < bits.length; word++) to[word] = (to[word] ?? 0) | (bits[word] ?? 0);
}

/** The intervals in which any of these is there. */
export function unitedBits(timelines: readonly Timeline[], bitsOf: (timeline: Timeline) => IntervalBits): IntervalBits {
  let all: Uint32Array | null = null;
  // Most sides have one item that is there, and many have items that come and go together: their bits are used as they are.
  let last = NO_INTERVAL;
  for (const timeline of timelines) {
    const bits = bitsOf(timeline);
    if (bits === last || bits.length === 0) continue;
    if (last !== NO_INTERVAL) {
      all ??= last.slice();
      addBits(all, bits);
    }
    last = bits;
  }
  return all ?? last;
}

/** The runs of intervals: the first one of each, and the one after its last. */
export function runsOf(bits: IntervalBits, intervals: number): readonly number[] {
  const runs: number[] = [];
  for (let interval = 0; interval <= intervals; interval++)
    if (isOn(bits, interval) !== isOn(bits, interval - 1)) runs.push(interval);
  return runs;
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
