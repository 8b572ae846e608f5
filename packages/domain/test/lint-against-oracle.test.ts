import { coverage, runs } from '@access-admin/test-depth';
import { assert, oneof, property } from 'fast-check';
import { expect, test } from 'vitest';
import { type Catalogue, compileLintRulebook, lintPolicies, type SodPolicy } from '../src/index.ts';
import { cataloguesOf, criticalAccessOf, kOfNOf, policiesOf, twoSidedOf } from './lint-arbitraries.ts';
import { findingInShort, lintByOracle } from './lint-oracle.ts';

const ITEMS = ['a', 'B', '_', '10', '9'];
const IDS = ['p', 'P', 'p-1', '1'];

/** The findings as short texts. */
function lint(policies: readonly SodPolicy[], catalogue: Catalogue): string[] {
  return [...lintPolicies(compileLintRulebook(policies, catalogue))].flat().map(findingInShort);
}

test.each([
  ['two-sided policies', policiesOf(IDS, twoSidedOf(ITEMS))],
  ['k-of-n policies', policiesOf(IDS, kOfNOf(ITEMS))],
  ['critical-access policies', policiesOf(IDS, criticalAccessOf(ITEMS))],
  ['policies of all forms', policiesOf(IDS, oneof(twoSidedOf(ITEMS), kOfNOf(ITEMS), criticalAccessOf(ITEMS)))],
])('findings about %s are those that trying every access shows', (_, policies) => {
  const codes = new Map<string, number>();
  assert(
    property(policies, cataloguesOf(ITEMS), (given, catalogue) => {
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
