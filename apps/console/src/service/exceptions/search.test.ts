import { expect, test } from 'vitest';
import { choiceOf, endsSoon, exceptionFiltersOf, parseExceptionSearch } from './search.ts';

const NOW_MS = Date.parse('2026-11-23T09:30:00Z');

test('an address that is not understood shows what waits', () => {
  expect(parseExceptionSearch({ state: 'LIVE', ending: 'yes', person: '' })).toEqual({});
  expect(exceptionFiltersOf({}, NOW_MS)).toBe('state eq "REQUESTED"');
});

test('an address has the state, the end and the person', () => {
  const search = parseExceptionSearch({ state: 'APPROVED', ending: true, person: 7, other: 'x' });
  expect(search).toEqual({ state: 'APPROVED', ending: true, person: '7' });
  expect(exceptionFiltersOf(search, NOW_MS)).toBe(
    'state eq "APPROVED" and end le "2026-12-23T10:00:00.000Z" and identityId eq "7"',
  );
});

test('what is shown in full does not change what is listed', () => {
  const search = parseExceptionSearch({ person: 'i-1', open: 'x', together: 'p-1' });
  expect(search).toEqual({ person: 'i-1', open: 'x', together: 'p-1' });
  expect(choiceOf(search)).toEqual({ person: 'i-1' });
});

test('an exception ends soon if it ends within 30 days', () => {
  expect(endsSoon({ end: '2026-12-23T09:30:00.000Z' }, NOW_MS)).toBe(true);
  expect(endsSoon({ end: '2026-12-23T09:30:00.001Z' }, NOW_MS)).toBe(false);
});
