import type { Interval } from '../access-model/interval.ts';
import { isViolated } from './is-violated.ts';

/** When each item of each side is held or requested, and how many sides make a violation. */
export interface SidesOverTime {
  readonly sides: readonly (readonly (readonly Interval[])[])[];
  readonly atLeast: number;
}

/**
 * The intervals from `nowMs` (since 1970) on in which items of enough sides are there together, ascending. Each begins and
 * ends where an item of the policy comes or goes, so the same items are there throughout; the last one may have no end.
 */
export function violatingIntervals({ sides, atLeast }: SidesOverTime, nowMs: number): readonly Interval[] {
  const turns = turnsOf(sides, nowMs);
  const present = sides.map(() => 0);
  const rule = { sideCount: sides.length, atLeast };
  const found: Interval[] = [];
  for (let at = 0; at < turns.length; ) {
    const startMs = turns[at]?.ms ?? 0;
    for (let turn = turns[at]; turn?.ms === startMs; turn = turns[++at])
      present[turn.side] = (present[turn.side] ?? 0) + turn.by;
    const endMs = turns[at]?.ms ?? Number.POSITIVE_INFINITY;
    if (isViolated(rule, (side) => (present[side] ?? 0) > 0)) found.push({ startMs, endMs });
  }
  return found;
}

/** An item of a side comes (1) or goes (-1). */
interface Turn {
  readonly ms: number;
  readonly side: number;
  readonly by: 1 | -1;
}

function turnsOf(sides: SidesOverTime['sides'], nowMs: number): readonly Turn[] {
  const turns: Turn[] = [];
  for (const [side, items] of sides.entries()) {
    for (const intervals of items) {
      for (const { startMs, endMs } of mergeFrom(intervals, nowMs)) {
        turns.push({ ms: startMs, side, by: 1 });
        if (endMs < Number.POSITIVE_INFINITY) turns.push({ ms: endMs, side, by: -1 });
      }
    }
  }
  return turns.sort((left, right) => left.ms - right.ms);
}

/** The intervals of one item from `nowMs` on; those that touch are one. */
function mergeFrom(intervals: readonly Interval[], nowMs: number): readonly Interval[] {
  const merged: { startMs: number; endMs: number }[] = [];
  for (const { startMs, endMs } of intervals.toSorted((left, right) => left.startMs - right.startMs)) {
    const from = Math.max(startMs, nowMs);
    if (from >= endMs) continue;
    const last = merged.at(-1);
    if (last === undefined || last.endMs < from) merged.push({ startMs: from, endMs });
    else last.endMs = Math.max(last.endMs, endMs);
  }
  return merged;
}
