import { expect, test } from 'vitest';
import { parseReportsSearch } from './search.ts';

test('an address that is not understood shows every report', () => {
  expect(parseReportsSearch({ kind: 'scan', state: 1, check: '' })).toEqual({});
});

test('an address has the kind and the state of the reports, and the id of a check', () => {
  expect(parseReportsSearch({ kind: 'DRY_RUN', state: 'ERROR', check: 7, other: 'x' })).toEqual({
    ...{ kind: 'DRY_RUN', state: 'ERROR', check: '7' },
  });
});
