import { policySidesAt } from '../rulebook/policy-table.ts';
import { policyPlaceAt, type SodIndex } from '../rulebook/sod-index.ts';
import { isViolated, violatedIntervals } from './is-violated.ts';
import type { MarkedAccess } from './scratch.ts';
import { firstCommon, type IntervalBits, isOn, runsOf, type Timeline } from './timeline.ts';
import type { Timelines } from './timelines.ts';

/** How an item is shown: not at all, as held at the first violating instant, or as not held then. */
export const NOT_SHOWN = 0;
export const EXISTING = 1;
export const GAINED = 2;

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

const ONLY_INTERVAL = [0, 1];

/** A violation at the only instant that counts. */
export function violationAtInstant(index: SodIndex, policy: number, { marks, heldMark }: MarkedAccess): Violation {
  const sides = policySidesAt(policyPlaceAt(index, policy));
  const { starts, values } = sides.rows;
  const start = starts[sides.first] ?? 0;
  const shown = new Uint8Array((starts[sides.first + sides.sideCount] ?? 0) - start);
  for (let item = 0; item < shown.length; item++) {
    const mark = marks[values[start + item] ?? 0] ?? 0;
    if (mark >= heldMark) shown[item] = mark === heldMark ? EXISTING : GAINED;
  }
  const preexisting = isViolated(sides, (side) => {
    const end = (starts[sides.first + side + 1] ?? 0) - start;
    let item = (starts[sides.first + side] ?? 0) - start;
    while (item < end && shown[item] !== EXISTING) item++;
    return item < end;
  });
  return { policy, preexisting, shown, runs: ONLY_INTERVAL };
}

const NO_ITEMS = new Uint8Array();

/** A violation at the only instant that counts, whose items are not looked up. */
export const violationBeyond = (policy: number): Violation => ({
  policy,
  preexisting: false,
  shown: NO_ITEMS,
  runs: ONLY_INTERVAL,
});

interface Evaluation {
  readonly timelines: Timelines;
  readonly keepsRuns: boolean;
}

/** Evaluates a policy in all intervals; null where it is not violated, or where nothing gained contributes. */
export function violationOverTime(
  index: SodIndex,
  policy: number,
  { timelines, keepsRuns }: Evaluation,
): Violation | null {
  const { rows, first, sideCount, atLeast } = policySidesAt(policyPlaceAt(index, policy));
  const sides: Timeline[][] = [];
  for (let row = first; row < first + sideCount; row++) {
    const side: Timeline[] = [];
    const end = rows.starts[row + 1] ?? 0;
    for (let at = rows.starts[row] ?? 0; at < end; at++) side.push(timelines.of(rows.values[at] ?? 0));
    sides.push(side);
  }
  const { intervals } = timelines;
  const violated = violatedIntervals({ sides, atLeast, intervals }, ({ any }) => any);
  if (violated === null) return null;
  const shown = shownItems(sides, violated);
  if (shown === null) return null;
  const preexisting = violatedIntervals({ sides, atLeast, intervals }, ({ held }) => held) !== null;
  return { policy, preexisting, shown, runs: keepsRuns ? runsOf(violated, intervals) : NO_RUNS };
}

const NO_RUNS: readonly number[] = [];

/** How the items that are there in violated intervals are shown; null where nothing gained is among them. */
function shownItems(sides: readonly (readonly Timeline[])[], violated: IntervalBits): Uint8Array | null {
  const shown: number[] = [];
  const first = firstCommon(violated, violated);
  let isCaused = false;
  let last: Timeline | null = null;
  for (const side of sides)
    for (const timeline of side) {
      if (timeline !== last) last = timeline;
      else {
        shown.push(shown.at(-1) ?? NOT_SHOWN);
        continue;
      }
      const { held, any } = timeline;
      let isThere = false;
      for (let word = first >>> 5; word < any.length; word++) {
        const present = (any[word] ?? 0) & (violated[word] ?? 0);
        if (present === 0) continue;
        isThere = true;
        if ((present & ~(held[word] ?? 0)) === 0) continue;
        isCaused = true;
        break;
      }
      shown.push(isThere ? (isOn(held, first) ? EXISTING : GAINED) : NOT_SHOWN);
    }
  return isCaused ? Uint8Array.from(shown) : null;
}
