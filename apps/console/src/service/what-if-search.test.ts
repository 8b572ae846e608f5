import { expect, test } from 'vitest';
import { parseRef, parseWhatIfSearch, refsOf, writeRef } from './what-if-search.ts';

test('an address is read as far as it is understood', () => {
  const access = ['ENTITLEMENT:e-1', 'ROLE:a:b'];
  expect(parseWhatIfSearch({ person: 'i-1', access, on: '2027-01-31' })).toEqual({
    person: 'i-1',
    access,
    on: '2027-01-31',
  });
  const odd = { person: 7, access: ['ENTITLEMENT:e-1', 'GROUP:g', 'ROLE:', 'ENTITLEMENT:e-1', 3], on: '2027-13-01' };
  expect(parseWhatIfSearch(odd)).toEqual({ person: '7', access: ['ENTITLEMENT:e-1'] });
  expect(parseWhatIfSearch({ access: 'ROLE:r' })).toEqual({});
});

test('references are written and read back', () => {
  const ref = { type: 'ACCESS_PROFILE', id: 'a:b\nc' } as const;
  expect(parseRef(writeRef(ref))).toEqual(ref);
  expect(refsOf({ access: [writeRef(ref)] })).toEqual([ref]);
});
