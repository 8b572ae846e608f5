import type { SodPolicy } from '@access-admin/client';
import { expect, test } from 'vitest';
import { findNaming } from './queries.ts';

const side = (...ids: readonly string[]) => ({
  name: null,
  criteriaList: ids.map((id) => ({ type: 'ENTITLEMENT' as const, id, name: `name of ${id}` })),
});

const policyOf = (name: string, rule: SodPolicy['conflictingAccessCriteria']) =>
  ({ id: name, name, level: 'HIGH', state: 'ENFORCED', conflictingAccessCriteria: rule }) as SodPolicy;

const policies = [
  policyOf('some', { criteria: [side('a'), side('b'), side('c')], atLeast: 2 }),
  policyOf('both', { leftCriteria: side('a', 'd'), rightCriteria: side('b') }),
  policyOf('other', { leftCriteria: side('x'), rightCriteria: side('y') }),
];

test('policies that name an entitlement are found by each of their sides, in the order of names', () => {
  const found = findNaming(policies, new Set(['b', 'd']));
  expect(found.map(({ name, sides }) => [name, sides])).toEqual([
    ['both', [['name of d'], ['name of b']]],
    ['some', [['name of b']]],
  ]);
  expect(findNaming(policies, new Set(['z']))).toEqual([]);
});
