import { SEED } from '@access-admin/test-depth';
import { expect, test } from 'vitest';
import {
  changePolicies,
  compileSodIndex,
  expandAccess,
  expandAssignments,
  type SodIndex,
  type ViolationContext,
} from '../src/index.ts';
import { CASES, type WithCounts } from './depth.ts';
import { concludeCheck, predictionText, predictJson } from './entries.ts';
import { predictByOracle } from './predict-oracle.ts';
import { createRandomSodWorld, type RandomSodWorld } from './random-sod-world.ts';
import { createRandomTimedWorld } from './random-timed-world.ts';
import { predictTemporalByOracle, type TimedSodQuestion } from './timed-oracle.ts';

type Question = RandomSodWorld['questions'][number];
/** The texts of one answer, by different ways to it: a prediction and a check. */
type Answer<Q> = (index: SodIndex, question: Q) => readonly string[];

const FIRST_SEED = Math.imul(SEED, 0x85ebca6b) >>> 0;
/** Brute force over time takes ten times as long. */
const WORLDS_PER_TIMED_ONE = 10;
const CONTROL_CASES = 5_000;
const CONTROL_TIMED_WORLDS = 1_000;

/** The rulebook in every form in which the service obtains it. */
function formsOf({ policies, catalogue }: RandomSodWorld, seed: number): readonly SodIndex[] {
  const compiled = compileSodIndex(policies, catalogue);
  // Policies of other worlds share ids with these and have other sides.
  const before = createRandomSodWorld(~seed).policies;
  const between = createRandomSodWorld(seed ^ 0x5555_5555).policies;
  const kept = new Set(policies.map(({ id }) => id));
  const deletes = [...before, ...between].map(({ id }) => id).filter((id) => !kept.has(id));
  const old = compileSodIndex(before, catalogue);
  const changed = changePolicies(changePolicies(old, { upserts: between, deletes: [] }), {
    upserts: policies,
    deletes,
  });
  return [compiled, changed];
}

const predict: (index: SodIndex, question: Question) => string = (index, { held, requested }) => {
  const answer = predictJson(index, expandAccess(index, held).entitlements, requested);
  return answer.ok ? answer.value : answer.failure.type;
};
const check: (index: SodIndex, question: Question) => string = (index, { held, requested }) => {
  const asked = { identityId: 'i-1', accessRefs: requested, clientMetadata: null };
  const { state, result } = concludeCheck({ index, held: expandAccess(index, held).entitlements, check: asked });
  const { violationContexts } = result;
  return state === 'SUCCESS' ? JSON.stringify({ violationContexts }) : `${result.message}`;
};
const answer: Answer<Question> = (index, question) => [predict(index, question), check(index, question)];

const answerTimed: Answer<TimedSodQuestion> = (index, { held, requested, at = null, now }) => {
  const holder = expandAssignments(index, held);
  const nowMs = Date.parse(now);
  const predicted = predictionText(index, holder, { accessRefs: requested, at, nowMs });
  const asked = { identityId: 'i-1', accessRefs: requested, clientMetadata: null, at };
  const { violationContexts } = concludeCheck({ index, ...holder, check: asked, nowMs }).result;
  return [predicted.ok ? predicted.value : predicted.failure.type, JSON.stringify({ violationContexts })];
};

const isCriticalAccess = ({ conflictingAccessCriteria: conflict }: ViolationContext): boolean =>
  'criteria' in conflict && conflict.atLeast === 1;

/** Asks every question of a world of every form; the differences from the oracle. */
function differencesOf(seed: number, count: number, asked: Answer<Question>) {
  const world = createRandomSodWorld(seed);
  const forms = formsOf(world, seed);
  const questions = world.questions.slice(0, count);
  const expected = questions.map(({ held, requested }) => predictByOracle(world, held, requested));
  const differences = questions.flatMap((question, at) => {
    const text = JSON.stringify({ violationContexts: expected[at] });
    return forms.flatMap((index) => asked(index, question)).filter((each) => each !== text);
  });
  return { cases: questions.length, contexts: expected.flat(), differences };
}

function timedDifferencesOf(seed: number, asked: Answer<TimedSodQuestion>) {
  const world = createRandomTimedWorld(seed);
  const forms = formsOf(world, seed);
  const expected = world.timedQuestions.map((question) => predictTemporalByOracle(world, question));
  const differences = world.timedQuestions.flatMap((question, at) => {
    const text = JSON.stringify({ violationContexts: expected[at] });
    return forms.flatMap((index) => asked(index, question)).filter((each) => each !== text);
  });
  return { cases: world.timedQuestions.length, contexts: expected.flat(), differences };
}

test(`predictions and checks equal brute force on ${CASES} questions, on every form of the rulebook`, {
  timeout: 3_600_000,
}, ({ task }) => {
  const seen = {
    cases: 0,
    worlds: 0,
    violations: 0,
    preexisting: 0,
    kOfN: 0,
    critical: 0,
    timed: 0,
    timedViolations: 0,
  };
  for (; seen.cases < CASES; seen.worlds++) {
    const seed = (FIRST_SEED + seen.worlds) >>> 0;
    const { cases, contexts, differences } = differencesOf(seed, CASES - seen.cases, answer);
    if (differences.length > 0) expect(differences, `world ${seed}`).toEqual([]);
    seen.cases += cases;
    seen.violations += contexts.length;
    seen.preexisting += contexts.filter(({ preexisting }) => preexisting).length;
    seen.kOfN += contexts.filter(({ conflictingAccessCriteria: conflict }) => 'criteria' in conflict).length;
    seen.critical += contexts.filter(isCriticalAccess).length;
    if (seen.worlds % WORLDS_PER_TIMED_ONE !== 0) continue;
    const timed = timedDifferencesOf(seed, answerTimed);
    if (timed.differences.length > 0) expect(timed.differences, `world ${seed} over time`).toEqual([]);
    seen.timed += timed.cases;
    seen.timedViolations += timed.contexts.length;
  }
  (task.meta as WithCounts).counts = seen;
  expect(seen.kOfN).toBeGreaterThan(CASES / 20);
  expect(seen.critical).toBeGreaterThan(CASES / 50);
  expect(seen.violations - seen.kOfN).toBeGreaterThan(CASES / 20);
  expect(seen.preexisting).toBeGreaterThan(CASES / 100);
  expect(seen.timedViolations).toBeGreaterThan(CASES / 100);
});

const withoutWindows = (refs: TimedSodQuestion['held']) => refs.map(({ type, id }) => ({ type, id }));
const endingLater = (refs: TimedSodQuestion['held']) =>
  refs.map(({ end, ...ref }) => (end ? { ...ref, end: new Date(Date.parse(end) + 1_000).toISOString() } : ref));

const MUTANTS: Readonly<Record<string, Answer<Question>>> = {
  'ignores earlier violations': (index, question) => [predict(index, question).replaceAll('ting":true', 'ting":false')],
  'takes held access for requested': (index, { held, requested }) => [
    check(index, { held: [], requested: [...held, ...requested] }),
  ],
  'ignores held access': (index, { requested }) => [predict(index, { held: [], requested })],
  'overlooks k-of-n policies': ({ compiled, ...index }, question) => [
    predict({ ...index, compiled: { ...compiled, atLeast: compiled.atLeast.map(() => 255) } }, question),
  ],
  'overlooks critical-access policies': ({ compiled, ...index }, question) => [
    predict(
      { ...index, compiled: { ...compiled, atLeast: compiled.atLeast.map((k) => (k === 1 ? 255 : k)) } },
      question,
    ),
  ],
  'forgets changes of the rulebook': (index, question) => [predict({ ...index, overlay: null }, question)],
};
const TIMED_MUTANTS: Readonly<Record<string, Answer<TimedSodQuestion>>> = {
  'ignores windows of held access': (index, { held, ...rest }) =>
    answerTimed(index, { ...rest, held: withoutWindows(held) }),
  'ignores windows of requested access': (index, { requested, ...rest }) =>
    answerTimed(index, { ...rest, requested: withoutWindows(requested) }),
  'looks at the present only': (index, question) => answerTimed(index, { at: question.now, ...question }),
  'overlooks the instant asked about': (index, { at: _, ...question }) => answerTimed(index, question),
  'ends windows a second late': (index, { held, ...rest }) => answerTimed(index, { ...rest, held: endingLater(held) }),
};

test.each(Object.entries(MUTANTS))('control: an evaluator is found out that %s', (_, mutant) => {
  const seeds = Array.from({ length: CONTROL_CASES / 2 }, (__, at) => (FIRST_SEED + at) >>> 0);
  expect(seeds.some((seed) => differencesOf(seed, 2, mutant).differences.length > 0)).toBe(true);
});

test.each(Object.entries(TIMED_MUTANTS))('control: an evaluator over time is found out that %s', (_, mutant) => {
  const seeds = Array.from({ length: CONTROL_TIMED_WORLDS }, (__, at) => (FIRST_SEED + at) >>> 0);
  expect(seeds.some((seed) => timedDifferencesOf(seed, mutant).differences.length > 0)).toBe(true);
});
