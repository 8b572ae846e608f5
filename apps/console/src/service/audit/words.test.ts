import { expect, test } from 'vitest';
import { inWords } from './words.ts';

const change = (before: unknown, after: unknown) => inWords({ field: 'f', before, after });

test('a value is told from what to what', () => {
  expect(change('ENFORCED', 'NOT_ENFORCED')).toEqual({ kind: 'value', before: 'ENFORCED', after: 'NOT_ENFORCED' });
  expect(change(null, true)).toEqual({ kind: 'value', before: null, after: 'true' });
  expect(change(5, null)).toEqual({ kind: 'value', before: '5', after: null });
});

test('a text that one sentence would not tell apart from what it was is told beside it', () => {
  const before = 'Leave vendor data with the master data team.';
  const after = 'Treasury releases payments; vendors stay with it.';
  expect(change(before, after)).toEqual({ kind: 'text', before, after });
  expect(change(null, after)).toEqual({ kind: 'value', before: null, after });
});

test('a list is told by what was added and removed', () => {
  expect(change(['HELPDESK', 'CERT_ADMIN'], ['HELPDESK', 'ORG_ADMIN'])).toEqual({
    kind: 'list',
    added: ['ORG_ADMIN'],
    removed: ['CERT_ADMIN'],
  });
  expect(change(null, [{ type: 'ROLE', id: 'r', name: 'Clerk' }])).toEqual({
    kind: 'list',
    added: ['Clerk'],
    removed: [],
  });
});

test('access in another order is a list that is the same', () => {
  expect(inWords({ field: 'access', before: null, after: null, added: [], removed: [] })).toEqual({
    kind: 'list',
    added: [],
    removed: [],
  });
});

test('access is told by its refs', () => {
  const ref = { type: 'ROLE', id: 'r-1', start: '2027-01-01T00:00:00.000Z' } as const;
  expect(inWords({ field: 'i-1', before: null, after: null, added: [ref] })).toEqual({
    kind: 'list',
    added: ['r-1 (2027-01-01T00:00:00.000Z – …)'],
    removed: [],
  });
});

test('the rule of a policy is told by the items of its sides', () => {
  const side = (name: string, ...ids: string[]) => ({
    name,
    criteriaList: ids.map((id) => ({ type: 'ENTITLEMENT', id })),
  });
  const before = { leftCriteria: side('Create', 'e-1'), rightCriteria: side('Pay', 'e-2') };
  const after = { leftCriteria: side('Create', 'e-1', 'e-3'), rightCriteria: side('Pay', 'e-4') };
  expect(change(before, after)).toEqual({
    kind: 'list',
    added: ['Create: e-3', 'Pay: e-4'],
    removed: ['Pay: e-2'],
  });
});

test('anything else is told line by line', () => {
  expect(change({ a: 1 }, { a: 2 })).toMatchObject({ kind: 'lines' });
  expect(change('one\ntwo', 'one\nthree')).toMatchObject({ kind: 'lines' });
});
