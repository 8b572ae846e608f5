import { atDepth, coverage, seeds } from '@access-admin/test-depth';
import { expect, test } from 'vitest';
import {
  changePolicies,
  compileSodIndex,
  expandAssignments,
  predict,
  predictionJson,
  type SodIndex,
  type ViolationContext,
} from '../src/index.ts';
import { ACCESS_PATHS_MAX } from '../src/predictions/reasons.ts';
import { settleQuestion } from '../src/sod/index.ts';
import { CHECK_BASIS, explainedText, predictionText, withoutBasis } from './entries.ts';
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
  const seen = { violations: 0, kOfN: 0, preexisting: 0, temporal: 0, long: 0, at: 0 };
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
      const answer = predictionText(index, holder, question);
      const settled = settleQuestion(index, holder, question);
      if (!(answer.ok && settled.ok)) throw new Error(`seed ${seed} is refused`);
      if (settled.value.starts.length > 1) seen.temporal++;
      if (settled.value.starts.length > 32) seen.long++;
      if (answer.value !== text) expect(answer.value, `seed ${seed}`).toEqual(text);
    }
  }
  expect(seen.violations).toBeGreaterThan(coverage(WORLDS / 10));
  expect(seen.kOfN).toBeGreaterThan(coverage(WORLDS / 20));
  expect(seen.preexisting).toBeGreaterThan(coverage(WORLDS / 100));
  expect(seen.at).toBeGreaterThan(coverage(WORLDS / 100));
  expect(seen.temporal).toBeGreaterThan(coverage(WORLDS / 2));
  expect(seen.long).toBeGreaterThan(coverage(WORLDS / 200));
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
      // Without the limit of instants, which is tested elsewhere.
      const text = explainedText(index, holder, { ...question, explanation });
      if (!text.ok) {
        expect(text.failure.type).toBe('LimitExceeded');
        continue;
      }
      const contexts: readonly ViolationContext[] = JSON.parse(text.value).violationContexts;
      const expected = pathsTemporalByOracle(world, asked);
      expect(contexts.map(({ policy }) => policy.id)).toEqual(expected.map(({ policyId }) => policyId));
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
  const parts = { basis: CHECK_BASIS, coverage: null, remediation: null };
  for (const seed of seeds(1_400)) {
    const world = createRandomTimedWorld(seed);
    const index = indexOf(world, seed);
    const begin = (asked: TimedSodQuestion) => {
      const found = predict(index, expandAssignments(index, asked.held), questionOf(asked));
      if (!found.ok) throw new Error(`seed ${seed} is refused`);
      return predictionJson(found.value, parts);
    };
    const running = [...world.timedQuestions, ...world.timedQuestions].map((asked) => ({
      asked,
      pieces: begin(asked),
      text: [] as string[],
    }));
    // Given up after a few pieces.
    for (const asked of world.timedQuestions) {
      const pieces = begin(asked);
      for (let piece = 0; piece < seed % 7; piece++) pieces.next();
    }
    for (let left = running; left.length > 0; interleaved++) {
      left = left.filter((each) => {
        const { value, done } = each.pieces.next();
        if (done !== true) each.text.push(value);
        return done !== true;
      });
    }
    for (const { asked, text } of running)
      expect(withoutBasis(text), `seed ${seed}`).toBe(
        JSON.stringify({ violationContexts: predictTemporalByOracle(world, asked) }),
      );
  }
  expect(interleaved).toBeGreaterThan(coverage(2_500));
});
