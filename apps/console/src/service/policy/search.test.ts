import { expect, test } from 'vitest';
import { policyFiltersOf } from './list.ts';
import { parsePolicySearch } from './search.ts';

test('an address is read as far as it is understood', () => {
  expect(
    parsePolicySearch({ name: 12, state: 'ENFORCED', level: 'Low', form: 'K_OF_N', finding: 'any', x: 1 }),
  ).toEqual({ name: '12', state: 'ENFORCED', form: 'K_OF_N', finding: 'any' });
});

test('the service filters by what it knows', () => {
  expect(policyFiltersOf({ form: 'CRITICAL', sort: 'name' })).toBeUndefined();
  expect(policyFiltersOf({ level: 'LOW', owner: 'a "b"' })).toBe('level eq "LOW" and ownerId eq "a \\"b\\""');
});
