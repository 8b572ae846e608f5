import { atDepth, coverage, seeds } from '@access-admin/test-depth';
import { expect, test } from 'vitest';
import { compileSodIndex, expandAccess, remediate, type SodCheckResult } from '../src/index.ts';
import { always, CHECK_BASIS, type CheckQuestion, concludeCheckAsText, explainedText, predict } from './entries.ts';
import { createRandomSodWorld, type RandomSodWorld } from './random-sod-world.ts';

const WORLDS = 1_500;

const byId = <T extends { readonly id: string }>(records: readonly T[]) =>
  new Map(records.map((record) => [record.id, record]));

/** The result of a check as an object, built at once from a prediction: without bounds. */
function resultInOnePiece({ index, held, check, explanation, includes = [] }: CheckQuestion) {
  const prediction = predict(index, held, check.accessRefs);
  if (!prediction.ok || explanation === undefined) throw new Error('refused');
  const { violationContexts } = prediction.value;
  const explained = explainedText(index, always(held), { accessRefs: check.accessRefs, nowMs: 0, explanation });
  if (!explained.ok) throw new Error('refused');
  const isClean = violationContexts.length === 0;
  const remediation = remediate(index, isClean ? [] : [explanation]);
  return {
    message: null,
    clientMetadata: check.clientMetadata,
    violationContexts: includes.includes('via') ? JSON.parse(explained.value).violationContexts : violationContexts,
    violatedPolicies: violationContexts.map(({ policy: { type, id, name } }) => ({ type, id, name })),
    violationCount: violationContexts.length,
    omitted: 0,
    ...(includes.includes('remediation') && { remediation }),
    ...CHECK_BASIS,
  };
}

/** Every question of random worlds, with the optional parts in turn. */
function* questionsOf(worlds: number): Generator<CheckQuestion & { readonly seed: number }> {
  const parts = [[], ['via'], ['remediation'], ['via', 'remediation']] as const;
  for (const seed of seeds(worlds)) {
    const world: RandomSodWorld = createRandomSodWorld(seed);
    const { policies, catalogue } = world;
    const index = compileSodIndex(policies, catalogue);
    const advice = new Map(policies.map(({ id }) => [id, { correctionAdvice: `€ ${id}`, compensatingControls: null }]));
    const graph = { roles: byId(catalogue.roles), accessProfiles: byId(catalogue.accessProfiles), advice };
    for (const [at, { held, requested }] of world.questions.entries()) {
      const check = { identityId: 'i-1', accessRefs: requested, clientMetadata: { ticket: 'ö "1" 😀' } };
      const numbers = expandAccess(index, held).entitlements;
      const explanation = { assignments: held, requested, ...graph };
      yield { seed, index, held: numbers, check, explanation, includes: parts[(seed + at) % 4] ?? [] };
    }
  }
}

const bytesOf = (text: string) => Buffer.byteLength(text);
const parse = (text: string): SodCheckResult => JSON.parse(text);

test(`in ${atDepth(WORLDS)} random worlds the text of a result equals the result built as an object`, () => {
  let violations = 0;
  for (const { seed, ...question } of questionsOf(WORLDS)) {
    const expected = resultInOnePiece(question);
    const { state, result } = concludeCheckAsText(question);
    expect([seed, state, result]).toEqual([seed, 'SUCCESS', JSON.stringify(expected)]);
    violations += expected.violationCount;
  }
  expect(violations).toBeGreaterThan(coverage(WORLDS / 4));
});

test('a result within its bounds shows as many of the first violations as have room, and counts the others', () => {
  const seen = { full: 0, cut: 0, byCount: 0, refused: 0 };
  for (const { seed, ...question } of questionsOf(WORLDS)) {
    const whole = resultInOnePiece(question);
    const { violationContexts, ...rest } = whole;
    const size = bytesOf(JSON.stringify(whole));
    const contextsMax = seed % 5;
    const bytesMax = Math.round((size * (seed % 13)) / 10);
    const { state, result } = concludeCheckAsText({ ...question, bounds: { contextsMax, bytesMax } });
    if (state === 'ERROR') {
      const { message, violationCount, omitted } = parse(result);
      expect(message).toMatch(`more than ${bytesMax} bytes`);
      expect({ violationCount, omitted }).toEqual({ violationCount: 0, omitted: 0 });
      // What is said beside the contexts does not fit: give or take the digits of the count.
      expect(bytesOf(JSON.stringify({ ...rest, violationContexts: [] })) + 10).toBeGreaterThan(bytesMax);
      seen.refused++;
      continue;
    }
    const shown = parse(result).violationContexts.length;
    const expected = (count: number) => ({
      ...whole,
      violationContexts: violationContexts.slice(0, count),
      omitted: violationContexts.length - count,
    });
    expect([seed, result]).toEqual([seed, JSON.stringify(expected(shown))]);
    expect(bytesOf(result)).toBeLessThanOrEqual(bytesMax);
    expect(shown).toBeLessThanOrEqual(contextsMax);
    if (shown === violationContexts.length) seen.full++;
    else if (shown === contextsMax) seen.byCount++;
    else {
      // One more would have been too much: give or take the digits of the counts and a comma.
      expect(bytesOf(JSON.stringify(expected(shown + 1))) + 10).toBeGreaterThan(bytesMax);
      seen.cut++;
    }
  }
  for (const count of Object.values(seen)) expect(count, JSON.stringify(seen)).toBeGreaterThan(coverage(WORLDS / 100));
});

test('violations beyond those whose advice was read are left out', () => {
  let left = 0;
  for (const { seed, ...question } of questionsOf(WORLDS / 3)) {
    if (question.explanation === undefined || question.includes?.includes('via') !== true) continue;
    const explanation = { ...question.explanation, advisedCount: seed % 3 };
    const result = parse(concludeCheckAsText({ ...question, explanation }).result);
    const count = Math.min(result.violationCount, seed % 3);
    expect([result.violationContexts.length, result.omitted]).toEqual([count, result.violationCount - count]);
    left += result.omitted;
  }
  expect(left).toBeGreaterThan(coverage(WORLDS / 50));
});
