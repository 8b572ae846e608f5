import { expect, test } from 'vitest';
import { catalogueOf, kOfNPolicyOf, policyOf } from '../../../test/sod-world.ts';
import type { Catalogue } from '../../access/model/records.ts';
import type { SodPolicy } from '../../policies/model.ts';
import { compileLintRulebook } from '../../sod/index.ts';
import { lintPolicies } from './run.ts';

const critical = (id: string, items: string) => kOfNPolicyOf(id, { atLeast: 1, sides: [items] });

const lint = (policies: readonly SodPolicy[], bundles: Partial<Parameters<typeof catalogueOf>[0]> = {}) => {
  const catalogue: Catalogue = catalogueOf({ entitlements: ['a', 'b', 'c', 'd'], ...bundles });
  return [...lintPolicies(compileLintRulebook(policies, catalogue))].flat();
};

test('a bundle with critical access is a warning, whatever number of its items it has', () => {
  const bundles = {
    accessProfiles: { 'ap-1': ['a', 'd'], 'ap-2': ['d'] },
    roles: { 'r-1': { accessProfiles: ['ap-1'], entitlements: ['b'] }, 'r-2': { accessProfiles: ['ap-2'] } },
  };
  const finding = (type: string, id: string, name: string) => ({
    code: `SELF_VIOLATING_${type}`,
    severity: 'WARNING',
    policyId: 'p-1',
    ref: { type, id },
    related: [],
    text: `${name} ${id} contains critical access of policy p-1: every identity that holds it violates the policy.`,
  });
  expect(lint([critical('p-1', 'a b')], bundles)).toEqual([
    finding('ACCESS_PROFILE', 'ap-1', 'Access profile'),
    finding('ROLE', 'r-1', 'Role'),
  ]);
});

test('a policy without any item that exists is an error', () => {
  expect(lint([critical('p-1', 'x y')]).slice(2)).toEqual([
    {
      code: 'UNMATCHABLE_POLICY',
      severity: 'ERROR',
      policyId: 'p-1',
      ref: null,
      related: [],
      text: 'Policy p-1 cannot match: none of its entitlements exists.',
    },
  ]);
  expect(lint([critical('p-1', 'x a')]).map(({ code }) => code)).toEqual(['DELETED_ITEM']);
});

test.each([
  [
    'a side within the critical items',
    [policyOf('p-2', { left: ['b', 'a'], right: ['d'] })],
    'SUBSUMED_POLICY p-2 p-1',
  ],
  ['a side with another item', [policyOf('p-2', { left: ['b', 'c'], right: ['a', 'd'] })], ''],
  ['fewer critical items', [critical('p-2', 'b')], 'SUBSUMED_POLICY p-2 p-1'],
  ['more critical items', [critical('p-2', 'c a b')], 'SUBSUMED_POLICY p-1 p-2'],
  ['the same critical items', [critical('p-2', 'b a')], 'DUPLICATE_POLICY p-2 p-1'],
  [
    'any two of three, two of them critical',
    [kOfNPolicyOf('p-2', { atLeast: 2, sides: ['a', 'b', 'c'] })],
    'SUBSUMED_POLICY p-2 p-1',
  ],
  ['any two of four, two of them critical', [kOfNPolicyOf('p-2', { atLeast: 2, sides: ['a', 'b', 'c', 'd'] })], ''],
  [
    'sides that are the same critical items',
    [kOfNPolicyOf('p-2', { atLeast: 2, sides: ['a b', 'b a'] })],
    'DUPLICATE_POLICY p-2 p-1',
  ],
])('a policy is compared with one of critical access: %s', (_, others, expected) => {
  const compared = lint([critical('p-1', 'a b'), ...others]).filter(({ related }) => related.length > 0);
  expect(
    compared.map(({ code, policyId, related }) => `${code} ${policyId} ${related.map(({ id }) => id)}`).join(),
  ).toBe(expected);
});
