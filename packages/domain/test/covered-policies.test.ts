import { atDepth, coverage, seeds } from '@access-admin/test-depth';
import { describe, expect, test } from 'vitest';
import {
  type AccessRef,
  compileSodIndex,
  coverageOf,
  coveringOf,
  covers,
  type ExceptionCoverage,
  expandAccess,
  type HeldMoments,
  type SodIndex,
} from '../src/index.ts';
import { always, concludeCheck, predictionText, predictJson } from './entries.ts';
import { predictByOracle } from './predict-oracle.ts';
import { createRandomSodWorld } from './random-sod-world.ts';

const NOON = Date.parse('2026-11-21T12:00:00.000Z');
const moment = (seconds: number) => new Date(NOON + seconds * 1_000).toISOString();
const interval = (startMs: number, endMs = Number.POSITIVE_INFINITY) => ({
  startMs: NOON + startMs * 1_000,
  endMs: NOON + endMs * 1_000,
});
const window = (start: number, end: number) => ({ start: moment(start), end: moment(end) });

const bound = (id: string, start: number, end: number) => ({
  policyId: 'p',
  id,
  ...window(start, end),
  approved: moment(0),
  terms: 't',
  items: ['a', 'b'],
});
const heldFrom = (second: number): HeldMoments => ({
  intervals: [interval(second)],
  terms: 't',
  items: ['a', 'b'],
  itemsFrom: () => ['a', 'b'],
});

describe('the window of an exception covers a violation', () => {
  test.each([
    ['that lies within it', window(0, 10), [interval(2, 4), interval(6, 10)], true],
    ['that it equals', window(0, 10), [interval(0, 10)], true],
    ['unless it begins before the window', window(1, 10), [interval(0, 5)], false],
    ['unless it ends after the window', window(0, 10), [interval(2, 11)], false],
    ['unless it begins after the window', window(0, 10), [interval(20, 30)], false],
    ['unless one of its intervals is outside', window(0, 10), [interval(2, 4), interval(20, 30)], false],
    ['without end that begins within it', window(0, 10), [interval(9.999)], true],
    ['unless the one without end begins at the end of the window', window(0, 10), [interval(10)], false],
    ['unless the one without end begins before the window', window(1, 10), [interval(0)], false],
    ['unless there is no violation', window(0, 10), [], false],
  ])('%s', (_, exception, violating, expected) => {
    expect(covers(exception, violating)).toBe(expected);
  });

  test('of several it is the one that ends last', () => {
    const exceptions = [bound('x-1', 0, 10), bound('x-2', 0, 20), bound('x-3', 5, 30)];
    expect(coveringOf(exceptions, heldFrom(0))).toEqual({ id: 'x-2', end: moment(20) });
    expect(coveringOf(exceptions, heldFrom(40))).toBeUndefined();
  });

  test('only if what was held then, and what is held since the approval, was approved', () => {
    const covering = (moments: Partial<HeldMoments>) =>
      coveringOf([bound('x-1', 0, 10)], { ...heldFrom(0), ...moments })?.id;
    expect(covering({})).toBe('x-1');
    expect(covering({ terms: 'other' })).toBeUndefined();
    expect(covering({ items: ['a', 'b', 'c'] })).toBeUndefined();
    expect(covering({ itemsFrom: () => ['a', 'b', 'c'] })).toBeUndefined();
    expect(covering({ itemsFrom: () => [] })).toBeUndefined();
    expect(covering({ itemsFrom: (ms) => (ms === NOON ? ['a'] : ['c']) })).toBe('x-1');
  });

  test('nothing is covered without an approved exception', () => {
    const prediction = { index: compileSodIndex([], { entitlements: [], accessProfiles: [], roles: [] }) };
    const rest = { holder: { held: null, timed: null }, request: { accessRefs: [], nowMs: 0 } };
    for (const exceptions of [null, []]) expect(coverageOf(exceptions, { ...prediction, ...rest })).toBeNull();
  });
});

const WORLDS = 5_000;

/** The violations of a prediction, covered, as it is written. */
function textOf(
  index: SodIndex,
  { held, requested }: { readonly held: Uint32Array; readonly requested: readonly AccessRef[] },
  coverage: ExceptionCoverage | null,
): string {
  const text = predictionText(index, always(held), { accessRefs: requested, nowMs: 0 }, { coverage });
  if (!text.ok) throw new Error(text.failure.type);
  return text.value;
}

test(`in ${atDepth(WORLDS)} random worlds a prediction has its exceptions where the policies say, and is else what it was`, () => {
  let covering = 0;
  for (const seed of seeds(WORLDS)) {
    const { policies, catalogue, questions } = createRandomSodWorld(seed);
    const index = compileSodIndex(policies, catalogue);
    const world = { policies, catalogue, questions };
    const exceptions = policies
      .filter((_, place) => (seed + place) % 2 === 0)
      .map(({ id }) => ({
        policyId: id,
        id: `x "${id}"`,
        start: new Date(0).toISOString(),
        end: moment(0),
        items: catalogue.entitlements.map((entitlement) => entitlement.id),
      }));
    // Access without windows has no end: an exception covers it at one instant, and from now on a part.
    const at = seed % 2 === 0 ? new Date(0).toISOString() : undefined;
    const covered = new Map(
      exceptions.map(({ policyId, id, end }) => [
        policyId,
        at === undefined ? { exception: null, exceptionEnds: end } : { exception: { id, end } },
      ]),
    );
    for (const { held, requested } of questions) {
      const numbers = expandAccess(index, held).entitlements;
      const holder = { held: numbers, timed: null };
      const given = coverageOf(exceptions, { index, holder, request: { accessRefs: requested, at, nowMs: 0 } });
      const contexts = predictByOracle(world, held, requested).map((context) => {
        const found = covered.get(context.policy.id);
        if (found !== undefined) covering++;
        return found === undefined ? context : { ...context, ...found };
      });
      expect([seed, textOf(index, { held: numbers, requested }, given)]).toEqual([
        seed,
        JSON.stringify({ violationContexts: contexts }),
      ]);
      const check = { identityId: 'i-1', accessRefs: requested, clientMetadata: null, ...(at && { at }) };
      const { result } = concludeCheck({ index, held: numbers, check, coverage: given });
      expect([seed, JSON.stringify(result.violationContexts)]).toEqual([seed, JSON.stringify(contexts)]);
      const plain = predictJson(index, numbers, requested);
      const bare = textOf(index, { held: numbers, requested }, null);
      expect([seed, plain.ok && plain.value]).toEqual([seed, bare]);
    }
  }
  expect(covering).toBeGreaterThan(coverage(WORLDS / 10));
});
