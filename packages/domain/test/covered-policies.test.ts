import { atDepth, coverage, seeds } from '@access-admin/test-depth';
import { describe, expect, test } from 'vitest';
import {
  type AccessRef,
  type ApprovedException,
  type CoveredPolicies,
  compileSodIndex,
  coverConclusion,
  coveredAt,
  expandAccess,
  type SodIndex,
} from '../src/index.ts';
import { concludeCheck, predictJson, predictToExplain } from './entries.ts';
import { predictByOracle } from './predict-oracle.ts';
import { createRandomSodWorld } from './random-sod-world.ts';

const exception = (policyId: string, id: string, start: string, end: string): ApprovedException => ({
  ...{ policyId, id },
  start: `2026-11-${start}T00:00:00.000Z`,
  end: `2026-11-${end}T00:00:00.000Z`,
});
const at = (day: string) => `2026-11-${day}T00:00:00.000Z`;

describe('the exceptions that cover violations at an instant', () => {
  const exceptions = [
    exception('p-1', 'x-1', '10', '20'),
    exception('p-1', 'x-2', '20', '25'),
    exception('p-2', 'x-3', '12', '14'),
    exception('p-2', 'x-4', '12', '13'),
  ];

  test.each([
    ['2026-11-09T23:59:59.999Z', null],
    [at('10'), { 'p-1': 'x-1' }],
    [at('12'), { 'p-1': 'x-1', 'p-2': 'x-3' }],
    [at('14'), { 'p-1': 'x-1' }],
    ['2026-11-19T23:59:59.999Z', { 'p-1': 'x-1' }],
    [at('20'), { 'p-1': 'x-2' }],
    [at('25'), null],
  ])('%s: %j', (instant, expected) => {
    const covered = coveredAt(exceptions, instant);
    const ids = covered === null ? null : Object.fromEntries([...covered].map(([policy, { id }]) => [policy, id]));
    expect(ids).toEqual(expected);
  });

  test('is null without an approved exception', () => {
    expect([coveredAt(null, at('10')), coveredAt([], at('10'))]).toEqual([null, null]);
  });
});

const WORLDS = 5_000;

/** The violations of a prediction, covered, as it is written. */
function textOf(
  index: SodIndex,
  { held, requested }: { readonly held: Uint32Array; readonly requested: readonly AccessRef[] },
  covered: CoveredPolicies,
): string {
  const prediction = predictToExplain(index, held, requested);
  if (!prediction.ok) throw new Error(prediction.failure.type);
  const { search, write } = prediction.value;
  for (const _ of search);
  return [...write(null, covered)].join('');
}

test(`in ${atDepth(WORLDS)} random worlds a prediction has its exceptions where the policies say, and is else what it was`, () => {
  let covering = 0;
  for (const seed of seeds(WORLDS)) {
    const { policies, catalogue, questions } = createRandomSodWorld(seed);
    const index = compileSodIndex(policies, catalogue);
    const world = { policies, catalogue, questions };
    const covered = new Map(
      policies.filter((_, place) => (seed + place) % 2 === 0).map(({ id }) => [id, { id: `x "${id}"`, end: at('10') }]),
    );
    for (const { held, requested } of questions) {
      const numbers = expandAccess(index, held).entitlements;
      const contexts = predictByOracle(world, held, requested).map((context) => {
        const found = covered.get(context.policy.id);
        if (found !== undefined) covering++;
        return found === undefined ? context : { ...context, exception: found };
      });
      expect([seed, textOf(index, { held: numbers, requested }, covered)]).toEqual([seed, JSON.stringify(contexts)]);
      const check = { identityId: 'i-1', accessRefs: requested, clientMetadata: null };
      const { result } = coverConclusion(concludeCheck({ index, held: numbers, check }), covered);
      expect([seed, JSON.stringify(result.violationContexts)]).toEqual([seed, JSON.stringify(contexts)]);
      const plain = predictJson(index, numbers, requested);
      const bare = textOf(index, { held: numbers, requested }, new Map());
      expect([seed, plain.ok && [...plain.value].join('')]).toEqual([seed, `{"violationContexts":${bare}}`]);
    }
  }
  expect(covering).toBeGreaterThan(coverage(WORLDS / 10));
});
