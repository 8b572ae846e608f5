import { atDepth, coverage, seeds } from '@access-admin/test-depth';
import { expect, test } from 'vitest';
import { changePolicies, compileSodIndex, type SodIndex } from '../src/index.ts';
import { expandAccess } from '../src/sod/index.ts';
import { predict, predictJson } from './entries.ts';
import { createRandomSodWorld, type RandomSodWorld } from './random-sod-world.ts';

const SEQUENCES = 2_000;

test(`${atDepth(SEQUENCES)} random sequences of changes answer as a compilation of what they come to, and earlier indexes as before`, () => {
  let violations = 0;
  let kOfN = 0;
  for (const seed of seeds(SEQUENCES)) {
    const world = createRandomSodWorld(seed);
    let index = compileSodIndex(world.policies, world.catalogue);
    const policiesById = new Map(world.policies.map((policy) => [policy.id, policy]));
    const earlier: { index: SodIndex; answers: readonly string[] }[] = [];
    for (let step = 1; step <= 4; step++) {
      earlier.push({ index, answers: answersOf(index, world, predictJson) });
      // Policies of other worlds, many of the same ids and of this world's entitlements.
      const upserts = createRandomSodWorld(seed * 31 + step).policies;
      const deletes = createRandomSodWorld(seed * 37 + step)
        .policies.map(({ id }) => id)
        .slice(0, 2);
      index = changePolicies(index, { upserts, deletes });
      for (const id of deletes) policiesById.delete(id);
      for (const policy of upserts) policiesById.set(policy.id, policy);
      const fresh = compileSodIndex([...policiesById.values()], world.catalogue);
      const expected = answersOf(fresh, world, predictJson);
      violations += expected.join('').split('SOD_POLICY').length - 1;
      kOfN += expected.join('').split('"atLeast":').length - 1;
      const where = `seed ${seed}, step ${step}`;
      expect(index.policyCount, where).toBe(fresh.policyCount);
      expect(
        answersOf(index, world, (...asked) => textOf(predict(...asked))),
        where,
      ).toEqual(expected);
      expect(answersOf(index, world, predictJson), where).toEqual(expected);
    }
    for (const { index: before, answers } of earlier) {
      expect(answersOf(before, world, predictJson), `seed ${seed}`).toEqual(answers);
    }
  }
  expect(violations - kOfN).toBeGreaterThan(coverage(SEQUENCES));
  expect(kOfN).toBeGreaterThan(coverage(SEQUENCES / 2));
});

type Answer = typeof predictJson;

function answersOf(index: SodIndex, { questions }: RandomSodWorld, answerTo: Answer): readonly string[] {
  return questions.map(({ held, requested }) => {
    const answer = answerTo(index, expandAccess(index, held).entitlements, requested);
    return answer.ok ? answer.value : 'refused';
  });
}

function textOf(answer: ReturnType<typeof predict>): ReturnType<Answer> {
  return answer.ok ? { ok: true, value: JSON.stringify(answer.value) } : answer;
}
