import { SOD_POLICY_SIDES_MAX } from '../../governance/policies/model.ts';
import type { CsrRows } from '../collections/csr-rows.ts';
import type { MarkedAccess } from './scratch.ts';
import { type IntervalBits, noIntervals, type Timeline, unitedBits } from './timeline.ts';

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
 * The rule of all policies, at least k of n sides, for 32 intervals at once: `bitsOf` gives of each side, from 0 on, a word
 * with a bit for each interval in which an item of it is there. The word returned has a bit for each interval with at least
 * `atLeast` such sides.
 */
export function violatedBits({ sideCount, atLeast }: ViolationRule, bitsOf: (side: number) => number): number {
  if (sideCount === 2 && atLeast === 2) return bitsOf(0) & bitsOf(1);
  for (let count = 0; count <= atLeast; count++) reached[count] = 0;
  let off = 0;
  for (let side = 0; side < sideCount && reached[atLeast] !== ALL; side++) {
    const bits = bitsOf(side);
    if (bits === 0 && ++off > sideCount - atLeast) return 0;
    for (let count = atLeast; count > 1; count--)
      reached[count] = (reached[count] ?? 0) | ((reached[count - 1] ?? 0) & bits);
    reached[1] = (reached[1] ?? 0) | bits;
  }
  return reached[atLeast] ?? 0;
}

// Entry k: the intervals with at least k sides so far. Used within one call only.
const reached = new Int32Array(SOD_POLICY_SIDES_MAX + 1);

/** Whether a rule is violated at one instant: `isOn` is true for at least `atLeast` of its sides, which are numbered from 0. */
export const isViolated = (rule: ViolationRule, isOn: (side: number) => boolean): boolean =>
  violatedBits(rule, (side) => (isOn(side) ? ALL : 0)) === ALL;

/** The items of a policy, by side, and when they are there: in some of so many intervals. */
interface SidesOverTime {
  readonly atLeast: number;
  readonly sides: readonly (readonly Timeline[])[];
  readonly intervals: number;
}

/** The intervals in which items of enough sides are there together; null if there are none. */
export function violatedIntervals(
  { sides, atLeast, intervals }: SidesOverTime,
  bitsOf: (timeline: Timeline) => IntervalBits,
): IntervalBits | null {
  const bySide = sides.map((timelines) => unitedBits(timelines, bitsOf));
  const rule = { sideCount: sides.length, atLeast };
  let violated: Uint32Array | null = null;
  for (let word = 0; word * 32 < intervals; word++) {
    const bits = violatedBits(rule, (side) => bySide[side]?.[word] ?? 0);
    if (bits === 0) continue;
    violated ??= noIntervals(intervals);
    violated[word] = bits;
  }
  return violated;
}

/**
 * The rule for pairs at one instant, of which one side is known to be on: whether an item of the other one is held or gained
 * too. `side` is its row. Most policies are pairs, and this takes a fraction of the time.
 */
export function isPairViolated({ starts, values }: CsrRows, side: number, { marks, heldMark }: MarkedAccess): boolean {
  const end = starts[side + 1] ?? 0;
  let item = starts[side] ?? 0;
  while (item < end && (marks[values[item] ?? 0] ?? 0) < heldMark) item++;
  return item < end;
}
