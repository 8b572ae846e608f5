import { expect, test } from 'vitest';
import { changesAccounts, completeSource, SOURCE_DEFAULTS, type SourceFields } from './source.ts';

const FIELDS: SourceFields = {
  id: 'hr',
  name: 'HR',
  ...SOURCE_DEFAULTS,
  identityProfileId: null,
  correlation: [{ account: 'email', identity: 'email' }],
};
const CREATED = '2026-01-01T00:00:00.000Z';
const LATER = '2026-02-01T00:00:00.000Z';

test('a source is modified when something else of it changes', () => {
  const first = completeSource(FIELDS, null, CREATED);
  expect(first).toEqual({ ...FIELDS, created: CREATED, modified: CREATED, lastLoad: null });
  expect(completeSource(FIELDS, first, LATER)).toEqual(first);
  expect(completeSource({ ...FIELDS, name: 'People' }, first, LATER)).toEqual({
    ...first,
    name: 'People',
    modified: LATER,
  });
});

test('accounts depend on the rules of a source, and on whether it makes identities or leaves disabled accounts out', () => {
  const source = completeSource(FIELDS, null, CREATED);
  const changed = (change: Partial<SourceFields>) => changesAccounts(source, { ...source, ...change });
  expect(changed({ authoritative: !source.authoritative })).toBe(true);
  expect(changed({ ignoreDisabled: !source.ignoreDisabled })).toBe(true);
  expect(changed({ correlation: [] })).toBe(true);
  expect(changed({ name: 'People', description: 'all', deleteThresholdPercent: 1 })).toBe(false);
});
