import { expect, test } from 'vitest';
import { accessProfile, catalogueOf, entitlement, policyOf, role } from '../../../test/sod-world.ts';
import type { TimedAccessRef } from '../../access/model/records.ts';
import { policyAt } from '../rulebook/policy-table.ts';
import { compileSodIndex } from '../rulebook/sod-index.ts';
import { findHeld } from './violations.ts';

const AT = '2026-11-21T09:30:00.000Z';
const BEFORE = '2026-01-01T00:00:00.000Z';
const AFTER = '2027-01-01T00:00:00.000Z';
const index = compileSodIndex(
  [policyOf('p-2', { left: ['a'], right: ['c'] }), policyOf('p-1', { left: ['a'], right: ['b'] })],
  catalogueOf({ entitlements: ['a', 'b', 'c'], accessProfiles: { ap: ['b'] }, roles: { r: { entitlements: ['a'] } } }),
);

test.each<[string, readonly TimedAccessRef[], readonly string[], string]>([
  ['nothing with one side', [entitlement('a')], [], 'a'],
  ['what bundles violate together', [role('r'), accessProfile('ap')], ['p-1'], 'ab'],
  ['every policy, in order of ids', [role('r'), entitlement('c'), entitlement('b')], ['p-1', 'p-2'], 'abc'],
  ['nothing by what does not exist', [role('gone'), entitlement('b')], [], 'b'],
  ['what holds from this instant on', [entitlement('a'), { ...entitlement('b'), start: AT }], ['p-1'], 'ab'],
  ['nothing by what ends at this instant', [entitlement('a'), { ...entitlement('b'), end: AT }], [], 'a'],
  ['nothing by what begins later', [entitlement('a'), { ...entitlement('b'), start: AFTER }], [], 'a'],
  ['what holds now', [entitlement('a'), { ...entitlement('b'), start: BEFORE, end: AFTER }], ['p-1'], 'ab'],
  [
    'what holds in one of several windows',
    [
      entitlement('a'),
      { ...role('r'), end: BEFORE },
      { ...accessProfile('ap'), end: BEFORE },
      { ...accessProfile('ap'), start: BEFORE },
    ],
    ['p-1'],
    'ab',
  ],
])('assignments violate %s', (_, assignments, policies, held) => {
  const found = findHeld(index, assignments, Date.parse(AT));
  expect(found.policies.map((place) => policyAt(place).id)).toEqual(policies);
  expect([...'abc'].filter((_, number) => found.isHeld(0, number)).join('')).toBe(held);
});

test('no assignments violate nothing', () => {
  expect(findHeld(index, [], Date.parse(AT)).policies).toEqual([]);
});
