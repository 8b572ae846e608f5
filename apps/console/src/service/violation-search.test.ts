import { expect, test } from 'vitest';
import { filtersOf, parseViolationSearch } from './violation-search.ts';

test('an address is read as far as it is understood', () => {
  const search = { status: 'Open', level: 'High', policy: 'p-1', person: 'ada', sort: '-level', open: 'v-1' } as const;
  expect(parseViolationSearch(search)).toEqual(search);
  expect(parseViolationSearch({ status: 'open', level: 1, sort: 'name', policy: '', person: 123 })).toEqual({
    person: '123',
  });
});

test('the filters quote what was typed, and leave short searches out', () => {
  expect(filtersOf({})).toBeUndefined();
  expect(filtersOf({ person: ' ab ' })).toBeUndefined();
  expect(filtersOf({ status: 'Open', level: 'High', policy: 'p"1', person: ' Ada ', sort: 'created' })).toBe(
    'status eq "Open" and level eq "High" and policyId eq "p\\"1" and targetName co "Ada"',
  );
});
