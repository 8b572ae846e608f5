import { expect, test } from 'vitest';
import { filtersOfAccess, parseAccessSearch } from './search.ts';

test('the address of the list is read, and what is not understood is left out', () => {
  expect(parseAccessSearch({ type: 'ENTITLEMENT', text: 'pay', sort: 'x' })).toEqual({
    type: 'ENTITLEMENT',
    text: 'pay',
  });
  expect(parseAccessSearch({ type: 'IDENTITY', text: ['x'] })).toEqual({});
  expect(parseAccessSearch({ text: 10 })).toEqual({ text: '10' });
});

test.each([
  ['', undefined],
  ['  ', undefined],
  ['pa', 'name sw "pa"'],
  [' pay ', 'name co "pay"'],
])('%j is sought by %s', (text, filters) => {
  expect(filtersOfAccess({ text })).toBe(filters);
});
