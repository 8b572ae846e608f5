import type { QuestionOverTime, StretchedAccess } from './access-over-time.ts';
import type { Entitlements } from './expand-access.ts';
import { mergeViolated, tableOf } from './find-violated.ts';
import { idCount } from './id-numbers.ts';
import { isPauseDue, type Pace } from './pace.ts';
import type { SodIndex } from './sod-index.ts';
import type { SodPolicyTable } from './sod-policy-table.ts';
import { type JudgedPolicy, type JudgedTime, judgeStretches, policyToJudge } from './violation-over-time.ts';

/** The memory that each of the two masks of all entitlements may take, in words of 32 stretches. */
const MASK_WORDS_MAX = 2 ** 21;

// So many entitlements are marked, or policies passed over, in the time that it takes to judge one side.
const LIGHT = 16;

/**
 * Finds the policies that some stretch sees violated and to which something gained in such a stretch contributes, sorted by
 * id, in steps: what it gives is nothing but pauses. Time is looked at in passes of as many stretches as there is memory for.
 */
export function* findViolatedOverTime(
  index: SodIndex,
  question: QuestionOverTime,
  { pace, maskWordsMax = MASK_WORDS_MAX }: { readonly pace: Pace; readonly maskWordsMax?: number },
): Generator<string, readonly JudgedPolicy[]> {
  const candidates = yield* findCandidates(index, question, pace);
  const entitlementCount = idCount(index.catalogue.numbers.ids);
  const wordCount = Math.ceil(question.starts.length / 32);
  const width = Math.min(wordCount, Math.max(1, Math.floor(maskWordsMax / entitlementCount)));
  const held = new Uint32Array(entitlementCount * width);
  const any = new Uint32Array(entitlementCount * width);
  for (let firstWord = 0; firstWord < wordCount; firstWord += width) {
    const time = { held, any, width, firstStretch: firstWord * 32 };
    yield* markStretches(question, time, pace);
    for (const candidate of candidates) {
      judgeStretches(candidate, time);
      if (isPauseDue(pace, 1 + (candidate.shown.length * width) / LIGHT)) yield '';
    }
  }
  return candidates.filter(({ isCaused }) => isCaused);
}

/** The policies that name anything requested that is not held all the time: only these can be caused. */
function* findCandidates(
  index: SodIndex,
  { always, requested }: QuestionOverTime,
  pace: Pace,
): Generator<string, readonly JudgedPolicy[]> {
  const isSeen = new Uint8Array(idCount(index.catalogue.numbers.ids));
  for (let i = 0; i < always.length; i++) isSeen[always[i] ?? 0] = 1;
  const gained: number[] = [];
  for (const { entitlements } of requested) {
    for (let i = 0; i < entitlements.length; i++) {
      const entitlement = entitlements[i] ?? 0;
      if (isSeen[entitlement] === 0) gained.push(entitlement);
      isSeen[entitlement] = 1;
      if (isPauseDue(pace, 1 / LIGHT)) yield '';
    }
  }
  const numbers = yield* policiesOf(index.compiled, gained, pace);
  const changed = index.overlay === null ? [] : yield* policiesOf(index.overlay.table, gained, pace);
  const candidates: JudgedPolicy[] = [];
  for (const number of mergeViolated(index, numbers, changed)) {
    candidates.push(policyToJudge(number, tableOf(index, number)));
    if (isPauseDue(pace, 1)) yield '';
  }
  return candidates;
}

/** The numbers, ascending, of the policies of a table that name any of these entitlements. */
function* policiesOf(
  { levels, rivals, wide }: SodPolicyTable,
  entitlements: readonly number[],
  pace: Pace,
): Generator<string, readonly number[]> {
  const isNamed = new Uint8Array(levels.length);
  for (const entitlement of entitlements) {
    const start = rivals.starts[entitlement] ?? 0;
    const end = rivals.starts[entitlement + 1] ?? 0;
    for (let at = start; at < end; at++) isNamed[(rivals.values[at] ?? 0) >>> 1] = 1;
    let work = end - start;
    if (wide !== null) {
      const { ownSides, places, numbers } = wide;
      const ownEnd = ownSides.starts[entitlement + 1] ?? 0;
      for (let at = ownSides.starts[entitlement] ?? 0; at < ownEnd; at++, work++)
        isNamed[numbers[places[ownSides.values[at] ?? 0] ?? 0] ?? 0] = 1;
    }
    if (isPauseDue(pace, (1 + work) / LIGHT)) yield '';
  }
  const numbers: number[] = [];
  for (let number = 0; number < isNamed.length; number++) if (isNamed[number] === 1) numbers.push(number);
  return numbers;
}

/** Marks for each entitlement the stretches of a pass in which it is held, and in which it is held or requested. */
function* markStretches(
  { starts, always, held, requested }: QuestionOverTime,
  time: JudgedTime,
  pace: Pace,
): Generator<string, void> {
  time.held.fill(0);
  time.any.fill(0);
  const all = { entitlements: always, from: 0, end: starts.length };
  for (const part of [all, ...held]) yield* markPart(part, time, pace);
  // What is requested is in one of the masks only.
  for (const part of requested) yield* markPart(part, { ...time, held: null }, pace);
}

interface Marking extends Omit<JudgedTime, 'held'> {
  readonly held: Uint32Array | null;
}

function* markPart(
  { entitlements, from, end }: StretchedAccess,
  { held, any, width, firstStretch }: Marking,
  pace: Pace,
): Generator<string, void> {
  const words = wordsOf({ from: from - firstStretch, end: end - firstStretch }, width);
  if (words === null) return;
  for (let i = 0; i < entitlements.length; i++) {
    const place = numberAt(entitlements, i) * width;
    for (let at = 0; at < width; at++) {
      const word = words[at] ?? 0;
      any[place + at] = (any[place + at] ?? 0) | word;
      if (held !== null) held[place + at] = (held[place + at] ?? 0) | word;
    }
    if (isPauseDue(pace, width / LIGHT)) yield '';
  }
}

const numberAt = (entitlements: Entitlements, at: number): number => entitlements[at] ?? 0;

/** A run of bits in words of 32; null where there is none in them. */
function wordsOf({ from, end }: Pick<StretchedAccess, 'from' | 'end'>, width: number): Uint32Array | null {
  if (end <= 0 || from >= width * 32) return null;
  const words = new Uint32Array(width);
  for (let at = Math.max(0, from >> 5); at < width && at * 32 < end; at++) {
    const first = Math.max(0, from - at * 32);
    const last = Math.min(32, end - at * 32);
    words[at] = (-1 << first) & (-1 >>> (32 - last));
  }
  return words;
}
