import { type PolicyPlace, type PolicySides, policySidesAt } from '../rulebook/policy-table.ts';
import { violatedCases } from './is-violated.ts';

/** How an item is shown: not at all, as held in the first interval of the violation, or as not held there. */
export const NOT_SHOWN = 0;
const EXISTING = 1;
const NOT_EXISTING = 2;

/** The state of evaluating one policy, pass by pass. */
export interface TemporalViolation extends PolicySides {
  /** The number of the policy in the index. */
  readonly number: number;
  /** How each item of its sides is shown. */
  readonly shown: Uint8Array;
  /** The runs of intervals in which it is violated, ascending: the first one of each and the one after its last; null if they are not kept. */
  readonly runs: number[] | null;
  /** Whether any interval so far violates it. */
  isFound: boolean;
  /** Whether a gained item contributes in any of these intervals. */
  isCaused: boolean;
  /** Whether held access alone violates it in any interval. */
  isPreexisting: boolean;
}

/** Words of 32 intervals, `width` of them for each entitlement that is involved. */
export interface TimeMasks {
  /** For each entitlement the place of its words; 0 for those that are not involved. */
  readonly slots: Uint32Array;
  readonly width: number;
  /** The interval of the first bit. */
  readonly firstInterval: number;
  /** A bit for each interval in which an entitlement is held. */
  readonly held: Uint32Array;
  /** A bit for each interval in which it is held or requested. */
  readonly any: Uint32Array;
}

/** A policy of which no interval has been evaluated. */
export function policyToEvaluate(number: number, place: PolicyPlace, keepsRuns: boolean): TemporalViolation {
  const sides = policySidesAt(place);
  const { rows, first, sideCount } = sides;
  const shown = new Uint8Array((rows.starts[first + sideCount] ?? 0) - (rows.starts[first] ?? 0));
  return {
    ...sides,
    number,
    shown,
    runs: keepsRuns ? [] : null,
    isFound: false,
    isCaused: false,
    isPreexisting: false,
  };
}

// The memory of a number in a list that grows.
const NUMBER_BYTES = 16;

/** Evaluates the intervals of a pass; passes come in the order of time. Returns the bytes that are kept in addition. */
export function evaluateIntervals(policy: TemporalViolation, time: TimeMasks): number {
  const { runs } = policy;
  const before = runs?.length ?? 0;
  for (let word = 0; word < time.width; word++) {
    const violated = violatedIntervals(policy, time, { masks: time.any, word });
    if (violated === 0) continue;
    showItems(policy, time, { word, violated, earliest: policy.isFound ? 0 : violated & -violated });
    policy.isFound = true;
    if (runs !== null) addRuns(runs, violated, time.firstInterval + word * 32);
    policy.isPreexisting ||= violatedIntervals(policy, time, { masks: time.held, word }) !== 0;
  }
  return ((runs?.length ?? 0) - before) * NUMBER_BYTES;
}

/** The intervals of a word in which items of enough sides come together. */
function violatedIntervals(
  policy: TemporalViolation,
  { slots, width }: TimeMasks,
  { masks, word }: { readonly masks: Uint32Array; readonly word: number },
): number {
  const { first } = policy;
  const { starts, values } = policy.rows;
  return violatedCases(policy, (side) => {
    let on = 0;
    const end = starts[first + side + 1] ?? 0;
    for (let at = starts[first + side] ?? 0; at < end; at++)
      on |= masks[(slots[values[at] ?? 0] ?? 0) * width + word] ?? 0;
    return on;
  });
}

/** Records the items of the violated intervals of a word; `earliest` is the first violated interval of all, if it is in this word. */
function showItems(
  policy: TemporalViolation,
  { slots, held, any, width }: TimeMasks,
  { word, violated, earliest }: { readonly word: number; readonly violated: number; readonly earliest: number },
): void {
  const { rows, first, shown } = policy;
  const start = rows.starts[first] ?? 0;
  for (let item = 0; item < shown.length; item++) {
    const place = (slots[rows.values[start + item] ?? 0] ?? 0) * width + word;
    const present = (any[place] ?? 0) & violated;
    if (present === 0) continue;
    const heldThen = held[place] ?? 0;
    if ((present & ~heldThen) !== 0) policy.isCaused = true;
    if (shown[item] === NOT_SHOWN) shown[item] = (heldThen & earliest) !== 0 ? EXISTING : NOT_EXISTING;
  }
}

/** Adds the runs of bits of a word, whose first bit is this interval. A run that continues the last one extends it. */
function addRuns(runs: number[], word: number, firstInterval: number): void {
  for (let rest = word; rest !== 0; ) {
    const from = trailingZeros(rest);
    const end = from + trailingZeros(~(rest >>> from));
    if (runs.at(-1) === firstInterval + from) runs.pop();
    else runs.push(firstInterval + from);
    runs.push(firstInterval + end);
    rest = end >= 32 ? 0 : rest & (-1 << end);
  }
}

/** How many of the 32 bits come before the first one that is set. */
const trailingZeros = (word: number): number => (word === 0 ? 32 : 31 - Math.clz32(word & -word));
