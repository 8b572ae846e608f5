import type { CsrRows } from '../collections/csr-rows.ts';
import { kOfNAt, type SodPolicyTable } from '../rulebook/policy-table.ts';
import { violatedCases } from './is-violated.ts';

/** What is shown of an item: nothing, or that it was held at the earliest moment, or that it was not. */
export const NOT_SHOWN = 0;
const EXISTING = 1;
const NOT_EXISTING = 2;

/** A policy that is being judged: with the bits of more and more stretches. */
export interface TemporalViolation {
  /** As `tableOf` takes it. */
  readonly number: number;
  /** Its sides are these rows from `first` up to, and without, `end`. */
  readonly rows: CsrRows;
  readonly first: number;
  readonly end: number;
  /** On how many sides it is a violation. */
  readonly atLeast: number;
  /** For each item of these rows what is shown of it. */
  readonly shown: Uint8Array;
  /** The runs of stretches in which it is violated, ascending: the first one of each and the one behind its last. */
  readonly runs: number[];
  /** Whether something gained takes part in any of these stretches. */
  isCaused: boolean;
  /** Whether held access alone violates it in any stretch. */
  isPreexisting: boolean;
}

/** So many words of 32 stretches for each entitlement that is involved. */
export interface TimeMasks {
  /** For each entitlement the place of its words; 0 for those that are not involved. */
  readonly slots: Uint32Array;
  readonly width: number;
  /** The stretch that is the first bit. */
  readonly firstStretch: number;
  /** A bit for each stretch in which an entitlement is held. */
  readonly held: Uint32Array;
  /** A bit for each stretch in which it is held or requested. */
  readonly any: Uint32Array;
}

/** A policy of which no stretch has been judged. */
export function policyToEvaluate(
  number: number,
  { table, number: own }: { readonly table: SodPolicyTable; readonly number: number },
): TemporalViolation {
  const wide = kOfNAt(table, own);
  const rows = wide === null ? table.sides : wide.wide.sides;
  const first = wide === null ? own * 2 : (wide.wide.sideStarts[wide.place] ?? 0);
  const end = wide === null ? own * 2 + 2 : (wide.wide.sideStarts[wide.place + 1] ?? 0);
  const atLeast = wide === null ? 2 : (wide.wide.atLeast[wide.place] ?? 0);
  const shown = new Uint8Array((rows.starts[end] ?? 0) - (rows.starts[first] ?? 0));
  return { number, rows, first, end, atLeast, shown, runs: [], isCaused: false, isPreexisting: false };
}

/** Judges the stretches of a pass; passes come in the order of time. */
export function evaluateIntervals(policy: TemporalViolation, time: TimeMasks): void {
  for (let word = 0; word < time.width; word++) {
    const violated = stretchesOnEnough(policy, time, { masks: time.any, word });
    if (violated === 0) continue;
    const isFirst = policy.runs.length === 0;
    addRuns(policy.runs, violated, time.firstStretch + word * 32);
    showItems(policy, time, { word, violated, earliest: isFirst ? violated & -violated : 0 });
    policy.isPreexisting ||= stretchesOnEnough(policy, time, { masks: time.held, word }) !== 0;
  }
}

/** The stretches of a word in which items of enough sides come together. */
function stretchesOnEnough(
  { rows: { starts, values }, first, end, atLeast }: TemporalViolation,
  { slots, width }: TimeMasks,
  { masks, word }: { readonly masks: Uint32Array; readonly word: number },
): number {
  return violatedCases({ sideCount: end - first, atLeast }, (side) => {
    let on = 0;
    const sideEnd = starts[first + side + 1] ?? 0;
    for (let at = starts[first + side] ?? 0; at < sideEnd; at++)
      on |= masks[(slots[values[at] ?? 0] ?? 0) * width + word] ?? 0;
    return on;
  });
}

/** Shows the items of the stretches of a word in which the policy is violated; `earliest` is the first of all, if it is here. */
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

/** Adds the runs of bits of a word, the first bit being this stretch; a run that goes on is made longer. */
function addRuns(runs: number[], word: number, firstStretch: number): void {
  for (let rest = word; rest !== 0; ) {
    const from = trailingZeros(rest);
    const end = from + trailingZeros(~(rest >>> from));
    if (runs.at(-1) === firstStretch + from) runs.pop();
    else runs.push(firstStretch + from);
    runs.push(firstStretch + end);
    rest = end >= 32 ? 0 : rest & (-1 << end);
  }
}

/** How many of the 32 bits come before the first one that is set. */
const trailingZeros = (word: number): number => (word === 0 ? 32 : 31 - Math.clz32(word & -word));
