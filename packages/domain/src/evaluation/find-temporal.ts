import { idCount } from '../collections/id-dictionary.ts';
import { policyPlaceAt, type SodIndex } from '../rulebook/sod-index.ts';
import { isPauseDue, type Steps, takeBytes, type WorkBudget } from '../steps/work-budget.ts';
import { type Evaluator, releaseEvaluator, startAccess, takeEvaluator } from './evaluator.ts';
import type { Entitlements } from './expand-access.ts';
import { findAtInstant, LIGHT } from './find-at-instant.ts';
import { findAtOnce } from './find-at-once.ts';
import type { FoundViolations } from './found-violations.ts';
import type { InstantQuestion, IntervalAccess, IntervalRange, TemporalQuestion } from './question.ts';
import { evaluateIntervals, policyToEvaluate, type TemporalViolation, type TimeMasks } from './temporal-violation.ts';

/** The largest size of each of the two masks of all involved entitlements, in words of 32 intervals. */
const MASK_WORDS_MAX = 2 ** 18;

/** How to search. */
export interface TemporalSearch {
  readonly budget: WorkBudget;
  /** Whether to keep the intervals of each violation, which reasons need: memory in proportion to the intervals. */
  readonly keepsRuns: boolean;
  readonly maskWordsMax?: number;
}

// An estimate of the memory of a violation without its items and its intervals.
const VIOLATION_BYTES = 256;

/**
 * Finds the violations of all intervals, in steps: see `findViolations`. It works in passes of as many intervals as the
 * masks have room for.
 */
export function* findTemporal(
  index: SodIndex,
  question: TemporalQuestion,
  search: TemporalSearch,
): Steps<FoundViolations> {
  const candidates = yield* findCandidates(index, question, search);
  const evaluator = takeEvaluator(index.catalogue);
  if (candidates.length > 0) {
    const involved = yield* numberInvolved(question, { evaluator, index, budget: search.budget });
    yield* evaluateAll(candidates, { ...question, involved }, search);
    clearSlots(evaluator, involved);
  }
  const found = candidates.filter(({ isCaused }) => isCaused);
  return {
    policies: found.map(({ number }) => number),
    ms: question.starts[0] ?? 0,
    access: startAccess(evaluator),
    evaluator,
    temporal: { starts: question.starts, violations: found },
  };
}

/**
 * The policies that would be violated if all access held at one instant: no others are violated in an interval, as more
 * access never ends a violation. Access that is requested counts as gained unless it is always held.
 */
function* findCandidates(
  index: SodIndex,
  { starts, always, held, requested }: TemporalQuestion,
  { budget, keepsRuns }: TemporalSearch,
): Steps<readonly TemporalViolation[]> {
  const entitlementsOf = ({ entitlements }: IntervalAccess) => entitlements;
  const together: InstantQuestion = {
    kind: 'instant',
    ms: starts[0] ?? 0,
    held: always,
    parts: requested.map(entitlementsOf),
    timed: { parts: held.map(entitlementsOf), yieldsToRequest: true },
  };
  const found = findAtOnce(index, together) ?? (yield* findAtInstant(index, together, budget));
  releaseEvaluator(found.evaluator);
  const candidates: TemporalViolation[] = [];
  for (const number of found.policies) {
    const candidate = policyToEvaluate(number, policyPlaceAt(index, number), keepsRuns);
    candidates.push(candidate);
    takeBytes(budget, VIOLATION_BYTES + candidate.shown.length);
    if (isPauseDue(budget, 1)) yield;
  }
  return candidates;
}

/** The entitlements that a question is about, numbered from 1 on. */
interface InvolvedEntitlements {
  /** For each entitlement of the catalogue its number here; 0 for those that are not held or requested at any time. */
  readonly slots: Uint32Array;
  /** By number here, from 1 on. */
  readonly entitlements: number[];
}

interface Numbering {
  readonly evaluator: Evaluator;
  readonly index: SodIndex;
  readonly budget: WorkBudget;
}

function* numberInvolved(
  { always, held, requested }: TemporalQuestion,
  { evaluator, index: { catalogue }, budget }: Numbering,
): Steps<InvolvedEntitlements> {
  if (evaluator.slots.length === 0) evaluator.slots = new Uint32Array(idCount(catalogue.numbers.ids));
  const { slots } = evaluator;
  const entitlements: number[] = [];
  const number = function* (all: Entitlements): Steps<void> {
    for (let i = 0; i < all.length; i++) {
      const entitlement = all[i] ?? 0;
      if (slots[entitlement] === 0) slots[entitlement] = entitlements.push(entitlement);
      if (isPauseDue(budget, 1 / LIGHT)) yield;
    }
  };
  yield* number(always);
  for (const part of requested) yield* number(part.entitlements);
  for (const part of held) yield* number(part.entitlements);
  return { slots, entitlements };
}

// Clearing more would require a pause.
const CLEARED_MAX = 10_000;

function clearSlots(evaluator: Evaluator, { slots, entitlements }: InvolvedEntitlements): void {
  if (entitlements.length > CLEARED_MAX) evaluator.slots = new Uint32Array();
  else for (const entitlement of entitlements) slots[entitlement] = 0;
}

interface QuestionToEvaluate extends TemporalQuestion {
  readonly involved: InvolvedEntitlements;
}

function* evaluateAll(
  candidates: readonly TemporalViolation[],
  question: QuestionToEvaluate,
  { budget, maskWordsMax = MASK_WORDS_MAX }: TemporalSearch,
): Steps<void> {
  const { slots, entitlements } = question.involved;
  // Place 0 is for all entitlements that are not involved.
  const size = entitlements.length + 1;
  const wordCount = Math.ceil(question.starts.length / 32);
  const width = Math.min(wordCount, Math.max(1, Math.floor(maskWordsMax / size)));
  const held = new Uint32Array(size * width);
  const any = new Uint32Array(size * width);
  for (let firstWord = 0; firstWord < wordCount; firstWord += width) {
    const time = { slots, held, any, width, firstInterval: firstWord * 32 };
    yield* markIntervals(question, time, budget);
    for (const candidate of candidates) {
      takeBytes(budget, evaluateIntervals(candidate, time));
      if (isPauseDue(budget, 1 + (candidate.shown.length * width) / LIGHT)) yield;
    }
  }
}

/** Marks for each entitlement the intervals of a pass in which it is held, and in which it is held or requested. */
function* markIntervals(
  { starts, always, held, requested }: TemporalQuestion,
  time: TimeMasks,
  budget: WorkBudget,
): Steps<void> {
  time.held.fill(0);
  time.any.fill(0);
  const all = { entitlements: always, ranges: [{ from: 0, end: starts.length }] };
  for (const part of [all, ...held]) yield* markPart(part, time, budget);
  // Requested access is in one of the masks only.
  for (const part of requested) yield* markPart(part, { ...time, held: null }, budget);
}

interface Marking extends Omit<TimeMasks, 'held'> {
  readonly held: Uint32Array | null;
}

function* markPart(
  { entitlements, ranges }: IntervalAccess,
  { slots, held, any, width, firstInterval }: Marking,
  budget: WorkBudget,
): Steps<void> {
  if (isPauseDue(budget, 1 + ranges.length / LIGHT)) yield;
  const words = wordsOf(ranges, { firstInterval, width });
  if (words === null) return;
  for (let i = 0; i < entitlements.length; i++) {
    const place = (slots[entitlements[i] ?? 0] ?? 0) * width;
    for (let at = 0; at < width; at++) {
      const word = words[at] ?? 0;
      any[place + at] = (any[place + at] ?? 0) | word;
      if (held !== null) held[place + at] = (held[place + at] ?? 0) | word;
    }
    if (isPauseDue(budget, width / LIGHT)) yield;
  }
}

/** The bits of ranges in words of 32, the first of which is an interval; null where there is none in them. */
function wordsOf(
  ranges: readonly IntervalRange[],
  { firstInterval, width }: Pick<TimeMasks, 'firstInterval' | 'width'>,
): Uint32Array | null {
  let words: Uint32Array | null = null;
  for (const range of ranges) {
    const from = range.from - firstInterval;
    const end = range.end - firstInterval;
    if (end <= 0 || from >= width * 32) continue;
    words ??= new Uint32Array(width);
    for (let at = Math.max(0, from >> 5); at < width && at * 32 < end; at++) {
      const first = Math.max(0, from - at * 32);
      const last = Math.min(32, end - at * 32);
      words[at] = (words[at] ?? 0) | ((-1 << first) & (-1 >>> (32 - last)));
    }
  }
  return words;
}
