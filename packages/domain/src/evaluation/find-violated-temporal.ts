import type { SodPolicyTable } from '../rulebook/policy-table.ts';
import type { SodIndex } from '../rulebook/sod-index.ts';
import { isPauseDue, type WorkBudget } from '../steps/work-budget.ts';
import { mergeViolated, tableOf } from './find-violated.ts';
import { type InvolvedEntitlements, releaseInvolved, takeInvolved } from './involved-entitlements.ts';
import type { IntervalAccess, TemporalQuestion } from './temporal-question.ts';
import { evaluateIntervals, policyToEvaluate, type TemporalViolation, type TimeMasks } from './temporal-violation.ts';

/** The memory that each of the two masks of all that is involved may take, in words of 32 stretches. */
const MASK_WORDS_MAX = 2 ** 18;

// So many entitlements are marked, or policies passed over, in the time that it takes to judge one side.
const LIGHT = 16;

interface SearchLimits {
  readonly budget: WorkBudget;
  readonly maskWordsMax?: number;
}

/**
 * Finds the policies that some stretch sees violated and to which something gained in such a stretch contributes, sorted by
 * id, in steps: what it gives is nothing but pauses. Time is looked at in passes of as many stretches as there is memory for.
 */
export function* findViolatedTemporal(
  index: SodIndex,
  question: TemporalQuestion,
  limits: SearchLimits,
): Generator<string, readonly TemporalViolation[]> {
  const involved = yield* takeInvolved(index.catalogue, question, limits.budget);
  const candidates = yield* findCandidates(index, involved.gained, limits.budget);
  yield* judgeAll(candidates, { ...question, involved }, limits);
  releaseInvolved(index.catalogue, involved);
  return candidates.filter(({ isCaused }) => isCaused);
}

/** The policies that name anything that may be gained: only these can be caused. */
function* findCandidates(
  index: SodIndex,
  gained: readonly number[],
  budget: WorkBudget,
): Generator<string, readonly TemporalViolation[]> {
  const numbers = yield* policiesOf(index.compiled, gained, budget);
  const changed = index.overlay === null ? [] : yield* policiesOf(index.overlay.table, gained, budget);
  const candidates: TemporalViolation[] = [];
  for (const number of mergeViolated(index, numbers, changed)) {
    candidates.push(policyToEvaluate(number, tableOf(index, number)));
    if (isPauseDue(budget, 1)) yield '';
  }
  return candidates;
}

/** The numbers, ascending, of the policies of a table that name any of these entitlements. */
function* policiesOf(
  { oppositeSides, wide }: SodPolicyTable,
  entitlements: readonly number[],
  budget: WorkBudget,
): Generator<string, readonly number[]> {
  const named = new Set<number>();
  for (const entitlement of entitlements) {
    const end = oppositeSides.starts[entitlement + 1] ?? 0;
    for (let at = oppositeSides.starts[entitlement] ?? 0; at < end; at++) {
      named.add((oppositeSides.values[at] ?? 0) >>> 1);
      if (isPauseDue(budget, 1)) yield '';
    }
    if (wide === null) continue;
    const { sidesByEntitlement, places, numbers } = wide;
    const ownEnd = sidesByEntitlement.starts[entitlement + 1] ?? 0;
    for (let at = sidesByEntitlement.starts[entitlement] ?? 0; at < ownEnd; at++) {
      named.add(numbers[places[sidesByEntitlement.values[at] ?? 0] ?? 0] ?? 0);
      if (isPauseDue(budget, 1)) yield '';
    }
  }
  return [...Uint32Array.from(named).sort()];
}

interface QuestionToJudge extends TemporalQuestion {
  readonly involved: InvolvedEntitlements;
}

function* judgeAll(
  candidates: readonly TemporalViolation[],
  question: QuestionToJudge,
  { budget, maskWordsMax = MASK_WORDS_MAX }: SearchLimits,
): Generator<string, void> {
  const { slots, entitlements } = question.involved;
  // The first place is that of whatever is not involved.
  const size = entitlements.length + 1;
  const wordCount = Math.ceil(question.starts.length / 32);
  const width = Math.min(wordCount, Math.max(1, Math.floor(maskWordsMax / size)));
  const held = new Uint32Array(size * width);
  const any = new Uint32Array(size * width);
  for (let firstWord = 0; firstWord < wordCount; firstWord += width) {
    const time = { slots, held, any, width, firstStretch: firstWord * 32 };
    yield* markStretches(question, time, budget);
    for (const candidate of candidates) {
      evaluateIntervals(candidate, time);
      if (isPauseDue(budget, 1 + (candidate.shown.length * width) / LIGHT)) yield '';
    }
  }
}

/** Marks for each entitlement the stretches of a pass in which it is held, and in which it is held or requested. */
function* markStretches(
  { starts, always, held, requested }: TemporalQuestion,
  time: TimeMasks,
  budget: WorkBudget,
): Generator<string, void> {
  time.held.fill(0);
  time.any.fill(0);
  const all = { entitlements: always, from: 0, end: starts.length };
  for (const part of [all, ...held]) yield* markPart(part, time, budget);
  // What is requested is in one of the masks only.
  for (const part of requested) yield* markPart(part, { ...time, held: null }, budget);
}

interface Marking extends Omit<TimeMasks, 'held'> {
  readonly held: Uint32Array | null;
}

function* markPart(
  { entitlements, from, end }: IntervalAccess,
  { slots, held, any, width, firstStretch }: Marking,
  budget: WorkBudget,
): Generator<string, void> {
  if (isPauseDue(budget, 1)) yield '';
  const words = wordsOf({ from: from - firstStretch, end: end - firstStretch }, width);
  if (words === null) return;
  for (let i = 0; i < entitlements.length; i++) {
    const place = (slots[entitlements[i] ?? 0] ?? 0) * width;
    for (let at = 0; at < width; at++) {
      const word = words[at] ?? 0;
      any[place + at] = (any[place + at] ?? 0) | word;
      if (held !== null) held[place + at] = (held[place + at] ?? 0) | word;
    }
    if (isPauseDue(budget, width / LIGHT)) yield '';
  }
}

/** A run of bits in words of 32; null where there is none in them. */
function wordsOf({ from, end }: Pick<IntervalAccess, 'from' | 'end'>, width: number): Uint32Array | null {
  if (end <= 0 || from >= width * 32) return null;
  const words = new Uint32Array(width);
  for (let at = Math.max(0, from >> 5); at < width && at * 32 < end; at++) {
    const first = Math.max(0, from - at * 32);
    const last = Math.min(32, end - at * 32);
    words[at] = (-1 << first) & (-1 >>> (32 - last));
  }
  return words;
}
