import { expect, test } from 'vitest';
import { parseReportSearch, parseReportsSearch } from './search.ts';

test('an address that is not understood shows every report', () => {
  expect(parseReportsSearch({ kind: 'scan', state: 1, check: '' })).toEqual({});
});

test('an address has the kind and the state of the reports, and the id of a check', () => {
  expect(parseReportsSearch({ kind: 'DRY_RUN', state: 'ERROR', check: 7, other: 'x' })).toEqual({
    kind: 'DRY_RUN',
    state: 'ERROR',
    check: '7',
  });
});

test('an address of one report has the filters of its violations, and what it is compared with', () => {
  expect(parseReportSearch({ change: 'old', level: 'High', covered: true, policy: '', since: null })).toEqual({});
  const search = { change: 'new', level: 'HIGH', covered: 'no', policy: 'p-1', person: 'i-1', since: 'r-1' };
  expect(parseReportSearch({ ...search, person: 7, other: 'x' })).toEqual({ ...search, person: '7' });
});
