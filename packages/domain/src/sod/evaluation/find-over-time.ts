import { idCount } from '../collections/id-dictionary.ts';
import { type PolicySides, policySidesAt } from '../rulebook/policy-table.ts';
import { policyPlaceAt, type SodIndex } from '../rulebook/sod-index.ts';
import type { Entitlements } from './expand-access.ts';
import { findAtInstant } from './find-at-instant.ts';
import { violatedCases } from './is-violated.ts';
import type { TemporalQuestion } from './question.ts';
import { createTimelines, type Timeline, type Timelines } from './timelines.ts';
import { EXISTING, GAINED, itemCountOf, NOT_SHOWN, type Violation } from './violation.ts';

/**
 * Finds what granting the requested access would violate in any interval: for each policy that may be violated, ascending,
 * its violation, or null if there is none. Each policy is evaluated when it is asked for, in time that grows with the
 * intervals of its own items.
 */
export function* findOverTime(
  index: SodIndex,
  question: TemporalQuestion,
  keepsRuns: boolean,
): Generator<Violation | null> {
  const policies = findCandidates(index, question);
  if (policies.length === 0) return;
  const timelines = createTimelines(question, idCount(index.catalogue.numbers.ids));
  for (const policy of policies) yield violationOverTime(index, policy, { timelines, keepsRuns });
}

/**
 * The policies that would be violated if all access held at one instant: no others are violated in an interval, as more
 * access never ends a violation. Access that is requested counts as gained unless it is always held.
 */
function findCandidates(index: SodIndex, { starts, always, held, requested }: TemporalQuestion): readonly number[] {
  const entitlementsOf = ({ entitlements }: { readonly entitlements: Entitlements }) => entitlements;
  return findAtInstant(index, {
    kind: 'instant',
    ms: starts[0] ?? 0,
    held: always,
    parts: requested.map(entitlementsOf),
    timed: { parts: held.map(entitlementsOf), yieldsToRequest: true },
  }).policies;
}

interface Evaluation {
  readonly timelines: Timelines;
  readonly keepsRuns: boolean;
}

/** Evaluates one policy in all intervals. */
function violationOverTime(index: SodIndex, policy: number, { timelines, keepsRuns }: Evaluation): Violation | null {
  const sides = policySidesAt(policyPlaceAt(index, policy));
  const { starts, values } = sides.rows;
  const start = starts[sides.first] ?? 0;
  const items: Timeline[] = [];
  for (let item = 0, count = itemCountOf(sides); item < count; item++)
    items.push(timelines.of(values[start + item] ?? 0));
  const evaluation = { sides, items, words: timelines.words };
  const violated = violatedIntervals(evaluation, ({ any }) => any);
  if (violated === null) return null;
  const shown = shownItems(items, violated);
  if (shown === null) return null;
  const preexisting = violatedIntervals(evaluation, ({ held }) => held) !== null;
  return { policy, preexisting, shown, runs: keepsRuns ? runsOf(violated) : NO_RUNS };
}

interface PolicyOverTime {
  readonly sides: PolicySides;
  /** The timelines of the items of all sides, in their order. */
  readonly items: readonly Timeline[];
  readonly words: number;
}

const NO_RUNS: readonly number[] = [];

/** The intervals in which items of enough sides are there together, as bits; null if there are none. */
function violatedIntervals(
  { sides, items, words }: PolicyOverTime,
  bitsOf: (timeline: Timeline) => Uint32Array,
): Uint32Array | null {
  const { starts } = sides.rows;
  const start = starts[sides.first] ?? 0;
  const bySide: Uint32Array[] = [];
  for (let side = 0; side < sides.sideCount; side++) {
    const from = (starts[sides.first + side] ?? 0) - start;
    const end = (starts[sides.first + side + 1] ?? 0) - start;
    bySide.push(united(items, { from, end, bitsOf }));
  }
  let violated: Uint32Array | null = null;
  for (let word = 0; word < words; word++) {
    const cases = violatedCases(sides, (side) => bySide[side]?.[word] ?? 0);
    if (cases === 0) continue;
    violated ??= new Uint32Array(words);
    violated[word] = cases;
  }
  return violated;
}

interface SideOverTime {
  readonly from: number;
  readonly end: number;
  bitsOf(timeline: Timeline): Uint32Array;
}

const NEVER = new Uint32Array();

/** The intervals in which any item of a side is there. */
function united(items: readonly Timeline[], { from, end, bitsOf }: SideOverTime): Uint32Array {
  let all: Uint32Array | null = null;
  // Most sides have one item that is there, and many have items that come and go together: their bits are used as they are.
  let last: Uint32Array = NEVER;
  for (let item = from; item < end; item++) {
    const timeline = items[item];
    const bits = timeline === undefined ? NEVER : bitsOf(timeline);
    if (bits === last || bits.length === 0) continue;
    if (last !== NEVER) {
      all ??= last.slice();
      for (let word = 0; word < bits.length; word++) all[word] = (all[word] ?? 0) | (bits[word] ?? 0);
    }
    last = bits;
  }
  return all ?? last;
}

/** How the items that are there in violated intervals are shown; null where nothing gained is among them. */
function shownItems(items: readonly Timeline[], violated: Uint32Array): Uint8Array | null {
  const shown = new Uint8Array(items.length);
  const firstWord = violated.findIndex((word) => word !== 0);
  const earliest = (violated[firstWord] ?? 0) & -(violated[firstWord] ?? 0);
  let isCaused = false;
  for (const [item, timeline] of items.entries()) {
    if (item > 0 && timeline === items[item - 1]) {
      shown[item] = shown[item - 1] ?? NOT_SHOWN;
      continue;
    }
    const { held, any } = timeline;
    let isThere = false;
    for (let word = firstWord; word < any.length; word++) {
      const present = (any[word] ?? 0) & (violated[word] ?? 0);
      if (present === 0) continue;
      isThere = true;
      if ((present & ~(held[word] ?? 0)) === 0) continue;
      isCaused = true;
      break;
    }
    if (isThere) shown[item] = ((held[firstWord] ?? 0) & earliest) !== 0 ? EXISTING : GAINED;
  }
  return isCaused ? shown : null;
}

/** The runs of bits: the first interval of each, and the one after its last. */
function runsOf(bits: Uint32Array): readonly number[] {
  const runs: number[] = [];
  const isOn = (interval: number) => (((bits[interval >>> 5] ?? 0) >>> (interval & 31)) & 1) === 1;
  for (let interval = 0; interval <= bits.length * 32; interval++)
    if (isOn(interval) !== (interval > 0 && isOn(interval - 1))) runs.push(interval);
  return runs;
}
