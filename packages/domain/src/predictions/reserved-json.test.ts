import { expect, test } from 'vitest';
import { CHECK_BASIS, findAll } from '../../test/entries.ts';
import { catalogueOf, policyOf } from '../../test/sod-world.ts';
import { compileSodIndex, expandAccess } from '../sod/index.ts';
import { predict } from './predict.ts';
import { RESERVED_CONTEXTS_BYTES_MAX, reservedPredictionJson } from './reserved-json.ts';

/** What a reservation keeps of a prediction with this many violations, whose policies have names of this length. */
function keptOf(count: number, nameLength: number) {
  const catalogue = catalogueOf({ entitlements: ['a', 'b'] });
  const policies = Array.from({ length: count }, (_, at) =>
    policyOf(`p-${String(at).padStart(5, '0')}`, { left: ['a'], right: ['b'] }, { name: 'n'.repeat(nameLength) }),
  );
  const index = compileSodIndex(policies, catalogue);
  const { entitlements: held } = expandAccess(index, [{ type: 'ENTITLEMENT', id: 'a' }]);
  const predicted = predict(index, { held, timed: null }, { accessRefs: [{ type: 'ENTITLEMENT', id: 'b' }], nowMs: 0 });
  if (!predicted.ok) throw new Error('refused');
  const json = [...reservedPredictionJson(findAll(predicted.value), { basis: CHECK_BASIS, coverage: null })].join('');
  return { bytes: Buffer.byteLength(json), ...JSON.parse(json) };
}

test('the first violations are kept, as far as their number and their bytes allow, and the others are counted', () => {
  const all = keptOf(500, 1);
  expect(all.violationContexts).toHaveLength(500);
  expect(all).not.toHaveProperty('omitted');
  expect(all).toMatchObject(CHECK_BASIS);
  const many = keptOf(1_001, 1);
  expect(many).toMatchObject({ violationCount: 1_001, omitted: 1_001 - many.violationContexts.length });
  const long = keptOf(500, 1_000);
  expect(long.bytes).toBeLessThan(RESERVED_CONTEXTS_BYTES_MAX + 200);
  expect(long).toMatchObject({ violationCount: 500, omitted: 500 - long.violationContexts.length });
  expect(long.violationContexts[0].policy.id).toBe('p-00000');
});
