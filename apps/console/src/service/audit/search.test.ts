import { expect, test } from 'vitest';
import { filtersOf } from './filters.ts';
import { type AuditSearch, parseAuditSearch } from './search.ts';

test('an address is read as far as it is understood', () => {
  const search: AuditSearch = {
    actor: 'i-1',
    operation: 'patch-sod-policy-v1',
    type: 'SOD_POLICY',
    resource: 'p-1',
    outcome: 'DENIED',
    from: '2026-11-01',
    until: '2026-11-30',
    order: 'oldest',
    entry: 7,
  };
  expect(parseAuditSearch({ ...search })).toEqual(search);
  const odd = {
    actor: 7,
    type: 'a policy',
    outcome: 'denied',
    from: '2026-13-01',
    until: 'x',
    order: 'newest',
    entry: 0,
  };
  expect(parseAuditSearch(odd)).toEqual({ actor: '7' });
});

test('the filters quote what was typed, and days are whole days of the browser', () => {
  expect(filtersOf({ order: 'oldest', entry: 7 })).toBeUndefined();
  expect(filtersOf({ actor: 'a"b', operation: ' o ', type: 'ROLE', resource: ' r ', outcome: 'ALLOWED' })).toBe(
    'actor eq "a\\"b" and operation eq "o" and resourceType eq "ROLE" and resourceId eq "r" and outcome eq "ALLOWED"',
  );
  const [from, until] = [new Date(2026, 10, 1), new Date(2026, 10, 30, 23, 59, 59, 999)].map((day) =>
    day.toISOString(),
  );
  expect(filtersOf({ from: '2026-11-01', until: '2026-11-30' })).toBe(`time ge "${from}" and time le "${until}"`);
});
