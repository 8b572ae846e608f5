import type { Entitlements } from './expand-access.ts';
import type { TemporalQuestion } from './question.ts';
import { addBits, bitsOfRanges, NEVER, noIntervals, type Timeline } from './timeline.ts';

/** The timelines of all entitlements of a question. */
export interface Timelines {
  /** The number of intervals of the question. */
  readonly intervals: number;
  /** The timeline of an entitlement. Those that one part of access alone gives share one. */
  of(entitlement: number): Timeline;
}

/** Access that is there in some intervals. */
interface Part extends Timeline {
  readonly entitlements: Entitlements;
}

// Timelines are made when they are asked for, and of many the earlier ones are dropped: they take 16 MiB at most.
const KEPT_WORDS_MAX = 2 ** 22;

/** Lists for each entitlement the parts of access that give it, which takes time and memory for each of these once. */
export function createTimelines(question: TemporalQuestion, entitlementCount: number): Timelines {
  const intervals = question.starts.length;
  const parts = partsOf(question);
  const { starts, numbers } = partsByEntitlement(parts, entitlementCount);
  const kept = new Map<number, Timeline>();
  const unite = (entitlement: number): Timeline => {
    const held = noIntervals(intervals);
    const any = noIntervals(intervals);
    for (let at = starts[entitlement] ?? 0; at < (starts[entitlement + 1] ?? 0); at++) {
      const part = parts[numbers[at] ?? 0] ?? NEVER;
      addBits(held, part.held);
      addBits(any, part.any);
    }
    if (kept.size * held.length * 2 >= KEPT_WORDS_MAX) kept.clear();
    const timeline = { held, any };
    kept.set(entitlement, timeline);
    return timeline;
  };
  return {
    intervals,
    of: (entitlement) => {
      const first = starts[entitlement] ?? 0;
      const count = (starts[entitlement + 1] ?? 0) - first;
      if (count === 0) return NEVER;
      return count === 1 ? (parts[numbers[first] ?? 0] ?? NEVER) : (kept.get(entitlement) ?? unite(entitlement));
    },
  };
}

function partsByEntitlement(parts: readonly Part[], entitlementCount: number) {
  // Row `e` of the parts of entitlement `e` ends where row `e + 1` begins.
  const starts = new Uint32Array(entitlementCount + 2);
  for (const { entitlements } of parts)
    for (let at = 0; at < entitlements.length; at++) {
      const row = (entitlements[at] ?? 0) + 2;
      starts[row] = (starts[row] ?? 0) + 1;
    }
  for (let row = 2; row < starts.length; row++) starts[row] = (starts[row] ?? 0) + (starts[row - 1] ?? 0);
  const numbers = new Uint16Array(starts[entitlementCount + 1] ?? 0);
  for (const [number, { entitlements }] of parts.entries())
    for (let at = 0; at < entitlements.length; at++) {
      const row = (entitlements[at] ?? 0) + 1;
      numbers[starts[row] ?? 0] = number;
      starts[row] = (starts[row] ?? 0) + 1;
    }
  return { starts, numbers };
}

function partsOf({ starts, always, held, requested }: TemporalQuestion): readonly Part[] {
  const intervals = starts.length;
  const all = bitsOfRanges([{ from: 0, end: intervals }], intervals);
  return [
    { entitlements: always, held: all, any: all },
    ...held.map(({ entitlements, ranges }) => {
      const bits = bitsOfRanges(ranges, intervals);
      return { entitlements, held: bits, any: bits };
    }),
    ...requested.map(({ entitlements, ranges }) => ({
      entitlements,
      held: noIntervals(intervals),
      any: bitsOfRanges(ranges, intervals),
    })),
  ];
}
