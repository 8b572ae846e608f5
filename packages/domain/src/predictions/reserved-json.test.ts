import { expect, test } from 'vitest';
import { CHECK_BASIS, findAll } from '../../test/entries.ts';
import { catalogueOf, policyOf } from '../../test/sod-world.ts';
import { compileSodIndex, expandAccess } from '../sod/index.ts';
import { predict } from './predict.ts';
import { isAcceptable, RESERVED_CONTEXTS_BYTES_MAX, reservedPredictionJson } from './reserved-json.ts';

/** A prediction with this many violations, whose policies have names of this length. */
function predictionOf(count: number, nameLength = 1) {
  const catalogue = catalogueOf({ entitlements: ['a', 'b'] });
  const policies = Array.from({ length: count }, (_, at) =>
    policyOf(`p-${String(at).padStart(5, '0')}`, { left: ['a'], right: ['b'] }, { name: 'n'.repeat(nameLength) }),
  );
  const index = compileSodIndex(policies, catalogue);
  const { entitlements: held } = expandAccess(index, [{ type: 'ENTITLEMENT', id: 'a' }]);
  const predicted = predict(index, { held, timed: null }, { accessRefs: [{ type: 'ENTITLEMENT', id: 'b' }], nowMs: 0 });
  if (!predicted.ok) throw new Error('refused');
  return findAll(predicted.value);
}

/** What a reservation keeps of such a prediction. */
function keptOf(count: number, nameLength: number) {
  const found = predictionOf(count, nameLength);
  const json = [...reservedPredictionJson(found, { basis: CHECK_BASIS, coverage: null })].join('');
  return { bytes: Buffer.byteLength(json), ...JSON.parse(json) };
}

test('the first violations are kept, as far as their number and their bytes allow, and the others are counted', () => {
  const all = keptOf(500, 1);
  expect(all.violationContexts).toHaveLength(500);
  expect(all).not.toHaveProperty('omitted');
  expect(all).not.toHaveProperty('violatedPolicies');
  expect(all).toMatchObject(CHECK_BASIS);
  const many = keptOf(1_001, 1);
  expect(many).toMatchObject({ violationCount: 1_001, omitted: 1_001 - many.violationContexts.length });
  expect(many.violatedPolicies).toHaveLength(1_001);
  expect(many.violatedPolicies[1_000]).toEqual({ type: 'SOD_POLICY', id: 'p-01000', name: 'n' });
  const long = keptOf(500, 1_000);
  const bytesOfNames = Buffer.byteLength(JSON.stringify(long.violatedPolicies));
  expect(long.bytes - bytesOfNames).toBeLessThan(RESERVED_CONTEXTS_BYTES_MAX + 200);
  expect(long).toMatchObject({ violationCount: 500, omitted: 500 - long.violationContexts.length });
  expect(long.violationContexts[0].policy.id).toBe('p-00000');
});

test('violations of as many bytes as there is room for are kept, and of one more are not', () => {
  const bytesOfOne = Buffer.byteLength(JSON.stringify(keptOf(1, 1).violationContexts)) - '[]'.length;
  const room = RESERVED_CONTEXTS_BYTES_MAX - ','.length - bytesOfOne;
  expect(keptOf(1, 1 + room).violationContexts).toHaveLength(1);
  expect(keptOf(1, 2 + room)).toMatchObject({ violationContexts: [], violationCount: 1, omitted: 1 });
});

test('a prediction is acceptable where an approved exception covers each of its violations', () => {
  const found = predictionOf(2);
  const [covered] = found.violations;
  const exception = { id: 'x-1', start: '2026-01-01T00:00:00Z', end: '2026-02-01T00:00:00Z' };
  const all = { coverageOf: () => ({ exception, exceptionEnds: null }) };
  const one = { coverageOf: (violation: unknown) => (violation === covered ? all.coverageOf() : undefined) };
  const none = { coverageOf: () => ({ exception: null, exceptionEnds: null }) };
  const coverages = [all, one, none, null].map((coverage) => isAcceptable(found, coverage as never));
  expect(coverages).toEqual([true, false, false, false]);
  expect(isAcceptable(predictionOf(0), null)).toBe(true);
});
