import { coverage, runs } from '@access-admin/test-depth';
import { array, assert, constantFrom, integer, oneof, property, record, uniqueArray } from 'fast-check';
import { expect, test } from 'vitest';
import { type Catalogue, compileLintRulebook, lintPolicies, type SodPolicy } from '../src/index.ts';
import { findingInShort, lintByOracle } from './lint-oracle.ts';
import { catalogueOf, kOfNPolicyOf, policyOf } from './sod-world.ts';

const ITEMS = ['a', 'B', '_', '10', '9'];
const IDS = ['p', 'P', 'p-1', '1'];

const state = constantFrom('ENFORCED', 'ENFORCED', 'ENFORCED', 'NOT_ENFORCED');
const side = uniqueArray(constantFrom(...ITEMS), { minLength: 1, maxLength: 2 });
const twoSided = uniqueArray(constantFrom(...ITEMS), { minLength: 2, maxLength: 4 }).chain((items) =>
  integer({ min: 1, max: Math.min(2, items.length - 1) }).map((cut) => (id: string, rest: Partial<SodPolicy>) => {
    const [left, right] = [items.slice(0, cut), items.slice(cut)];
    return policyOf(id, { left, right }, rest);
  }),
);
const kOfN = array(side, { minLength: 2, maxLength: 4 }).chain((sides) =>
  integer({ min: 2, max: sides.length }).map(
    (atLeast) => (id: string, rest: Partial<SodPolicy>) =>
      kOfNPolicyOf(id, { atLeast, sides: sides.map((items) => items.join(' ')) }, rest),
  ),
);
const policiesOf = (form: typeof twoSided) =>
  uniqueArray(record({ id: constantFrom(...IDS), make: form, state }), { minLength: 2, selector: ({ id }) => id }).map(
    (drawn) => drawn.map(({ id, make, state }) => make(id, { state })),
  );
const someItems = array(constantFrom(...ITEMS), { maxLength: 4 });
const catalogues = record({
  entitlements: uniqueArray(constantFrom(...ITEMS), { minLength: 2 }),
  ap: someItems,
  AP: someItems,
  r: someItems,
  R: someItems,
}).map(({ entitlements, ap, AP, r, R }) => {
  const living = (ids: readonly string[]) => ids.filter((id) => entitlements.includes(id));
  return catalogueOf({
    entitlements,
    accessProfiles: { ap: living(ap), AP: living(AP) },
    roles: {
      r: { accessProfiles: ['ap'], entitlements: living(r) },
      R: { accessProfiles: ['AP', 'ap'], entitlements: living(R) },
    },
  });
});

/** The findings in short. */
function lint(policies: readonly SodPolicy[], catalogue: Catalogue): string[] {
  const steps = compileLintRulebook(policies, catalogue);
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return [...lintPolicies(step.value)].flat().map(findingInShort);
}

test.each([
  ['two-sided policies', policiesOf(twoSided)],
  ['k-of-n policies', policiesOf(kOfN)],
  ['policies of both forms', policiesOf(oneof(twoSided, kOfN))],
])('%s are told of as every access tried on them shows', { timeout: 60_000 }, (_, policies) => {
  const codes = new Map<string, number>();
  assert(
    property(policies, catalogues, (given, catalogue) => {
      const expected = lintByOracle(given, catalogue);
      for (const line of expected) {
        const code = line.split(' ', 1)[0] ?? '';
        codes.set(code, (codes.get(code) ?? 0) + 1);
      }
      expect(lint(given, catalogue)).toEqual(expected);
    }),
    runs(4_000),
  );
  expect(Math.min(...codes.values())).toBeGreaterThan(coverage(50));
  expect(codes.size).toBeGreaterThan(coverage(5));
});
