import { atDepth, coverage, seeds } from '@access-admin/test-depth';
import { expect, test } from 'vitest';
import { changePolicies, compileSodIndex, expandAssignments, type SodIndex } from '../src/index.ts';
import { ACCESS_PATHS_MAX } from '../src/prediction/explain-access.ts';
import { predictTemporal, predictTemporalJson, predictTemporalToExplain, settleTime, writeInSteps } from './entries.ts';
import { createRandomSodWorld, type RandomSodWorld } from './random-sod-world.ts';
import { createRandomTimedWorld } from './random-timed-world.ts';
import { pathsTemporalByOracle, predictTemporalByOracle, type TimedSodQuestion } from './timed-oracle.ts';

const WORLDS = 8_000;

const questionOf = ({ requested, at, now }: TimedSodQuestion) => ({
  accessRefs: requested,
  ...(at === undefined ? {} : { at }),
  nowMs: Date.parse(now),
});

/** The rulebook in a form in which the service may come by it: compiled, or changed from another. */
function indexOf({ policies, catalogue }: RandomSodWorld, seed: number): SodIndex {
  if (seed % 2 === 0) return compileSodIndex(policies, catalogue);
  const before = createRandomSodWorld(~seed).policies;
  const kept = new Set(policies.map(({ id }) => id));
  const deletes = before.map(({ id }) => id).filter((id) => !kept.has(id));
  return changePolicies(compileSodIndex(before, catalogue), { upserts: policies, deletes });
}

test(`answers ${atDepth(WORLDS)} random worlds in time as the rule in plain words does`, () => {
  const seen = { violations: 0, kOfN: 0, preexisting: 0, inSteps: 0, inPasses: 0, at: 0 };
  for (const seed of seeds(WORLDS)) {
    const world = createRandomTimedWorld(seed);
    const index = indexOf(world, seed);
    for (const asked of world.timedQuestions) {
      const holder = expandAssignments(index, asked.held);
      const question = questionOf(asked);
      const expected = predictTemporalByOracle(world, asked);
      seen.violations += expected.length;
      for (const { conflictingAccessCriteria: conflict, preexisting } of expected) {
        if ('criteria' in conflict) seen.kOfN++;
        if (preexisting) seen.preexisting++;
        if (asked.at !== undefined) seen.at++;
      }
      const text = JSON.stringify({ violationContexts: expected });
      const answer = predictTemporalJson(index, holder, question);
      const atOnce = predictTemporal(index, holder, question);
      const settled = settleTime(index, holder, question);
      if (!(answer.ok && atOnce.ok && settled.ok)) throw new Error(`seed ${seed} is refused`);
      const texts = [[...answer.value].join(''), JSON.stringify({ violationContexts: atOnce.value.violationContexts })];
      if (settled.value.kind === 'temporal') {
        // Every few entitlements and sides a pause, and one word of stretches at a time.
        texts.push([...writeInSteps(index, settled.value, { stepWork: 2, maskWordsMax: 1 })].join(''));
        seen.inSteps++;
        if (settled.value.starts.length > 32) seen.inPasses++;
      }
      if (texts.some((given) => given !== text)) expect(texts, `seed ${seed}`).toEqual(texts.map(() => text));
    }
  }
  expect(seen.violations).toBeGreaterThan(coverage(WORLDS / 10));
  expect(seen.kOfN).toBeGreaterThan(coverage(WORLDS / 20));
  expect(seen.preexisting).toBeGreaterThan(coverage(WORLDS / 100));
  expect(seen.at).toBeGreaterThan(coverage(WORLDS / 100));
  expect(seen.inSteps).toBeGreaterThan(coverage(WORLDS / 2));
  expect(seen.inPasses).toBeGreaterThan(coverage(WORLDS / 200));
});

const byId = <T extends { readonly id: string }>(records: readonly T[]) =>
  new Map(records.map((record) => [record.id, record]));

test('shows the paths through access that holds during the violation, and no others', () => {
  let left = 0;
  let items = 0;
  for (const seed of seeds(1_500)) {
    const world = createRandomTimedWorld(seed);
    const index = indexOf(world, seed);
    for (const asked of world.timedQuestions) {
      const holder = expandAssignments(index, asked.held);
      const question = questionOf(asked);
      const explanation = {
        assignments: asked.held,
        requested: asked.requested,
        roles: byId(world.catalogue.roles),
        accessProfiles: byId(world.catalogue.accessProfiles),
        advice: new Map(),
      };
      const prediction = predictTemporalToExplain(index, holder, question);
      const atOnce = predictTemporal(index, holder, question);
      if (!(prediction.ok && atOnce.ok)) throw new Error(`seed ${seed} is refused`);
      for (const _ of prediction.value.search);
      const text = [...prediction.value.write(explanation, null)].join('');
      expect(text).toBe(JSON.stringify(atOnce.value.explain(explanation)));
      const contexts = atOnce.value.explain(explanation);
      const expected = pathsTemporalByOracle(world, asked);
      expect(prediction.value.policyIds).toEqual(expected.map(({ policyId }) => policyId));
      for (const [at, { conflictingAccessCriteria: conflict }] of contexts.entries()) {
        const sides = 'criteria' in conflict ? conflict.criteria : [conflict.leftCriteria, conflict.rightCriteria];
        for (const { id, via, viaMore } of sides.flatMap(({ criteriaList }) => criteriaList)) {
          const paths = expected[at]?.pathsTo(id) ?? [];
          const shown = paths.slice(0, ACCESS_PATHS_MAX);
          const wanted = { via: shown, viaMore: paths.length - shown.length };
          if (JSON.stringify({ via, viaMore }) !== JSON.stringify(wanted))
            expect({ via, viaMore }, `seed ${seed} ${id}`).toEqual(wanted);
          items++;
          if (shown.length < asked.held.length + asked.requested.length) left++;
        }
      }
    }
  }
  expect(items).toBeGreaterThan(coverage(1_000));
  expect(left).toBeGreaterThan(coverage(500));
});

test('interleaved and abandoned predictions do not change the answers of others', () => {
  let interleaved = 0;
  for (const seed of seeds(1_400)) {
    const world = createRandomTimedWorld(seed);
    const index = indexOf(world, seed);
    const questions = world.timedQuestions.flatMap((asked) => {
      const settled = settleTime(index, expandAssignments(index, asked.held), questionOf(asked));
      return settled.ok && settled.value.kind === 'temporal' ? [{ asked, question: settled.value }] : [];
    });
    const running = [...questions, ...questions].map(({ asked, question }) => ({
      asked,
      steps: writeInSteps(index, question, { stepWork: 1, maskWordsMax: 1 }),
      text: '',
    }));
    // Given up after a few steps.
    for (const { question } of questions) {
      const steps = writeInSteps(index, question, { stepWork: 1 });
      for (let step = 0; step < seed % 7; step++) steps.next();
    }
    for (let left = running; left.length > 0; interleaved++) {
      left = left.filter((each) => {
        const { value, done } = each.steps.next();
        each.text += value ?? '';
        return done !== true;
      });
    }
    for (const { asked, text } of running)
      expect(text, `seed ${seed}`).toBe(JSON.stringify({ violationContexts: predictTemporalByOracle(world, asked) }));
  }
  expect(interleaved).toBeGreaterThan(coverage(5_000));
});
