import { expect, test } from 'vitest';
import { catalogueOf, kOfNPolicyOf, policyOf } from '../../../test/sod-world.ts';
import { compileLintRulebook } from '../lint/compile.ts';
import { lintRulebookBytes } from '../lint/memory-size.ts';
import { changePolicies } from './change-policies.ts';
import { sodIndexBytes } from './memory-size.ts';
import { compileSodIndex } from './sod-index.ts';

const catalogue = catalogueOf({ entitlements: ['a', 'b'] });
const indexOf = (policies: number) =>
  compileSodIndex(
    Array.from({ length: policies }, (_, at) => policyOf(`p-${at}`, { left: ['a'], right: ['b'] })),
    catalogue,
  );

/** The bytes of all arrays in an object. */
const arrayBytes = (value: unknown): number =>
  ArrayBuffer.isView(value)
    ? value.byteLength
    : typeof value === 'object' && value !== null
      ? Object.values(value).reduce((sum, each) => sum + arrayBytes(each), 0)
      : 0;

test('counts more than the arrays, policy by policy', () => {
  expect(sodIndexBytes(indexOf(100))).toBeGreaterThan(arrayBytes(indexOf(100)));
  const perPolicy = (sodIndexBytes(indexOf(1_100)) - sodIndexBytes(indexOf(100))) / 1_000;
  expect(perPolicy).toBeGreaterThan(100);
  expect(perPolicy).toBeLessThan(1_000);
});

test('counts changed policies', () => {
  const changed = changePolicies(indexOf(10), { upserts: [policyOf('x', { left: ['a'], right: ['b'] })], deletes: [] });
  expect(sodIndexBytes(changed)).toBeGreaterThan(sodIndexBytes(indexOf(10)));
});

test('counts the sides of k-of-n policies', () => {
  const sides = Array.from({ length: 10 }, () => 'a b');
  const before = indexOf(10);
  const upserts = [kOfNPolicyOf('x', { atLeast: 2, sides })];
  const twoSided = [policyOf('x', { left: ['a'], right: ['b'] })];
  const kOfN = sodIndexBytes(changePolicies(before, { upserts, deletes: [] }));
  // Twenty items more.
  expect(kOfN - sodIndexBytes(changePolicies(before, { upserts: twoSided, deletes: [] }))).toBeGreaterThan(2_000);
  const compiled = compileSodIndex(
    Array.from({ length: 100 }, (_, at) => kOfNPolicyOf(`p-${at}`, { atLeast: 2, sides })),
    catalogue,
  );
  expect(sodIndexBytes(compiled)).toBeGreaterThan(arrayBytes(compiled));
});

test('counts a rulebook for lint policy by policy, with what it lacks', () => {
  const bytesOf = (count: number, item: (at: number) => string) => {
    const policies = Array.from({ length: count }, (_, at) => policyOf(`p-${at}`, { left: ['a'], right: [item(at)] }));
    return lintRulebookBytes(compileLintRulebook(policies, catalogue));
  };
  const perPolicy = (bytesOf(1_100, () => 'b') - bytesOf(100, () => 'b')) / 1_000;
  expect(perPolicy).toBeGreaterThan(100);
  expect(perPolicy).toBeLessThan(400);
  expect(bytesOf(100, (at) => `x-${at}`)).toBeGreaterThan(bytesOf(100, () => 'x-0') + 99 * 50);
});
