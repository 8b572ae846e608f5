import { atDepth, coverage, seeds } from '@access-admin/test-depth';
import { expect, test } from 'vitest';
import { compileSodIndex, expandAccess } from '../src/index.ts';
import { concludeCheck, contextsOf, predictJson } from './entries.ts';
import { predictByOracle } from './predict-oracle.ts';
import { createRandomSodWorld } from './random-sod-world.ts';

const WORLDS = 100_000;

test(`answers ${atDepth(WORLDS)} random worlds as the rule in plain words does`, () => {
  let violations = 0;
  let kOfN = 0;
  for (const seed of seeds(WORLDS)) {
    const world = createRandomSodWorld(seed);
    const index = compileSodIndex(world.policies, world.catalogue);
    for (const { held, requested } of world.questions) {
      const heldNumbers = expandAccess(index, held).entitlements;
      const expected = predictByOracle(world, held, requested);
      violations += expected.length;
      for (const context of expected) if ('criteria' in context.conflictingAccessCriteria) kOfN++;
      const text = JSON.stringify({ violationContexts: expected });
      const given = predictJson(index, heldNumbers, requested);
      if (!given.ok || given.value !== text) expect(given, `seed ${seed}`).toEqual({ ok: true, value: text });
    }
  }
  expect(violations).toBeGreaterThan(coverage(WORLDS / 10));
  expect(kOfN).toBeGreaterThan(coverage(WORLDS / 20));
  expect(violations - kOfN).toBeGreaterThan(coverage(WORLDS / 20));
});

test('a check concludes as predict answers', () => {
  for (const seed of seeds(1_000)) {
    const world = createRandomSodWorld(seed);
    const index = compileSodIndex(world.policies, world.catalogue);
    for (const { held, requested } of world.questions) {
      const { state, result } = concludeCheck({
        index,
        held: expandAccess(index, held).entitlements,
        check: { identityId: 'i-1', accessRefs: requested, clientMetadata: null },
      });
      expect({ state, contexts: result.violationContexts }, `seed ${seed}`).toEqual({
        state: 'SUCCESS',
        contexts: predictByOracle(world, held, requested),
      });
    }
  }
});

test('neither the order of calls nor earlier calls change an answer, and arguments stay as they are', () => {
  for (const seed of seeds(200)) {
    const world = createRandomSodWorld(seed);
    const index = compileSodIndex(world.policies, world.catalogue);
    const [first, second] = world.questions.map(({ held, requested }) => ({
      held: expandAccess(index, held).entitlements,
      requested,
    }));
    if (first === undefined || second === undefined) continue;
    const before = structuredClone([first, second]);
    const answers = [first, second].map(({ held, requested }) => contextsOf(index, held, requested));
    // Enough calls for the marks in the scratch to run out more than once.
    for (let call = 0; call < 400; call++) {
      const asked = call % 3 === 0 ? second : first;
      const answer = contextsOf(index, asked.held, asked.requested);
      if (JSON.stringify(answer) !== JSON.stringify(answers[asked === first ? 0 : 1]))
        expect(answer, `seed ${seed}, call ${call}`).toEqual(answers[asked === first ? 0 : 1]);
    }
    expect([first, second]).toEqual(before);
  }
});
