import { expect, test } from 'vitest';
import { filtersOfAccounts, parseSourceSearch, parseSourcesSearch } from './search.ts';

test('the accounts of a source are filtered by their link and a part of their name', () => {
  expect(filtersOfAccounts('erp "1"', {})).toBe('source eq "erp \\"1\\""');
  expect(filtersOfAccounts('erp', { link: 'NONE', text: ' sha ' })).toBe(
    'source eq "erp" and correlation eq "NONE" and name co "sha"',
  );
  expect(filtersOfAccounts('erp', { text: 'as' })).toBe('source eq "erp" and name sw "as"');
});

test('what an address does not say in known words is left out', () => {
  expect(parseSourceSearch({ link: 'GUESS', text: 7, account: ['a'] })).toEqual({ text: '7' });
  expect(parseSourceSearch({ link: 'AMBIGUOUS', account: 'k' })).toEqual({ link: 'AMBIGUOUS', account: 'k' });
  expect(parseSourceSearch({ load: 'new', text: '' })).toEqual({ load: 'new' });
  expect(parseSourcesSearch({ create: 'source', other: 1 })).toEqual({ create: 'source' });
  expect(parseSourcesSearch({ create: true })).toEqual({});
});
