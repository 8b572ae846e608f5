import type { Entitlements } from './expand-access.ts';
import type { IntervalRange, TemporalQuestion } from './question.ts';

/** When an entitlement is there: a bit for each interval of a question, 32 in a word. Without words it never is. */
export interface Timeline {
  /** The intervals in which it is held. */
  readonly held: Uint32Array;
  /** The intervals in which it is held or requested. */
  readonly any: Uint32Array;
}

/** The timelines of all entitlements of a question. */
export interface Timelines {
  /** The number of words of a timeline. */
  readonly words: number;
  /** The timeline of an entitlement. Those that one part of access alone gives share one. */
  of(entitlement: number): Timeline;
}

/** Access that is there in some intervals. */
interface Part extends Timeline {
  readonly entitlements: Entitlements;
}

const NEVER: Timeline = { held: new Uint32Array(), any: new Uint32Array() };

// Timelines are made when they are asked for, and of many the earlier ones are dropped: they take 16 MiB at most.
const KEPT_WORDS_MAX = 2 ** 22;

/** Lists for each entitlement the parts of access that give it, which takes time and memory for each of these once. */
export function createTimelines(question: TemporalQuestion, entitlementCount: number): Timelines {
  const words = Math.ceil(question.starts.length / 32);
  const parts = partsOf(question, words);
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
  const kept = new Map<number, Timeline>();
  const unite = (entitlement: number): Timeline => {
    const held = new Uint32Array(words);
    const any = new Uint32Array(words);
    for (let at = starts[entitlement] ?? 0; at < (starts[entitlement + 1] ?? 0); at++) {
      const part = parts[numbers[at] ?? 0] ?? NEVER;
      addBits(held, part.held);
      addBits(any, part.any);
    }
    if (kept.size * words * 2 >= KEPT_WORDS_MAX) kept.clear();
    const timeline = { held, any };
    kept.set(entitlement, timeline);
    return timeline;
  };
  return {
    words,
    of: (entitlement) => {
      const first = starts[entitlement] ?? 0;
      const count = (starts[entitlement + 1] ?? 0) - first;
      if (count === 0) return NEVER;
      return count === 1 ? (parts[numbers[first] ?? 0] ?? NEVER) : (kept.get(entitlement) ?? unite(entitlement));
    },
  };
}

function partsOf({ starts, always, held, requested }: TemporalQuestion, words: number): readonly Part[] {
  const all = bitsOf([{ from: 0, end: starts.length }], words);
  return [
    { entitlements: always, held: all, any: all },
    ...held.map(({ entitlements, ranges }) => {
      const bits = bitsOf(ranges, words);
      return { entitlements, held: bits, any: bits };
    }),
    ...requested.map(({ entitlements, ranges }) => ({
      entitlements,
      held: new Uint32Array(words),
      any: bitsOf(ranges, words),
    })),
  ];
}

function addBits(to: Uint32Array, bits: Uint32Array): void {
  for (let word = 0; word < bits.length; word++) to[word] = (to[word] ?? 0) | (bits[word] ?? 0);
}

/** The intervals of ranges as bits. */
function bitsOf(ranges: readonly IntervalRange[], words: number): Uint32Array {
  const bits = new Uint32Array(words);
  for (const { from, end } of ranges) {
    for (let word = from >>> 5; word * 32 < end; word++) {
      const first = Math.max(0, from - word * 32);
      const last = Math.min(32, end - word * 32);
      bits[word] = (bits[word] ?? 0) | ((-1 << first) & (-1 >>> (32 - last)));
    }
  }
  return bits;
}
