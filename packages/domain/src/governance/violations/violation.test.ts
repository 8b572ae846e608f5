import { describe, expect, test } from 'vitest';
import { catalogueOf, kOfNPolicyOf, policyOf } from '../../../test/sod-world.ts';
import { SOD_POLICY_LEVELS, type SodPolicy } from '../../policies/model.ts';
import { compileSodIndex, policyPlaceAt } from '../../sod/index.ts';
import { conflictingCriteriaOf } from './conflicting-criteria.ts';
import { levelRankOf, violationLevelOf } from './violation.ts';

test('a violation has the level of its policy', () => {
  for (const level of SOD_POLICY_LEVELS) expect(violationLevelOf(levelRankOf(level)).toUpperCase()).toBe(level);
  expect([1, 2, 3, 4].map(violationLevelOf)).toEqual(['Low', 'Medium', 'High', 'Critical']);
});

describe('the held sides of a violated policy', () => {
  const item = (id: string) => ({ type: 'ENTITLEMENT' as const, id, name: `The ${id}` });
  const namesOf = (policy: SodPolicy, held: readonly (readonly string[])[]) => {
    const place = policyPlaceAt(compileSodIndex([policy], catalogueOf({ entitlements: ['a', 'b', 'c'] })), 0);
    return conflictingCriteriaOf(
      place,
      held.map((ids) => ids.map(item)),
    );
  };

  test('are left and right where they have no name', () => {
    expect(namesOf(policyOf('p-1', { left: ['a'], right: ['b', 'c'] }), [['a'], ['b', 'c']])).toEqual([
      { name: 'left', conflictingItems: [item('a')] },
      { name: 'right', conflictingItems: [item('b'), item('c')] },
    ]);
  });

  test('are numbered from 1 in a k-of-n policy; those that are not held are left out', () => {
    const policy = kOfNPolicyOf('p-1', { atLeast: 2, sides: ['a', 'Pay: b', 'c'] });
    const shown = namesOf(policy, [['a'], ['b'], ['c']]).map(({ name }) => name);
    expect(shown).toEqual(['side 1', 'Pay', 'side 3']);
    expect(namesOf(policy, [[], ['b'], ['c']]).map(({ name }) => name)).toEqual(['Pay', 'side 3']);
  });
});
