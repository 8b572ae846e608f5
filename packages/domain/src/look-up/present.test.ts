import { expect, test } from 'vitest';
import { storedIdentity } from '../../test/import-world.ts';
import { listIdentity, type NameOf, showAccessProfile, showIdentity, showRole } from './present.ts';

const NAMES: Readonly<Record<string, string>> = {
  'ENTITLEMENT x': 'Pay',
  'ACCESS_PROFILE x': 'Payments',
  'ROLE x': 'Payer',
  'IDENTITY_PROFILE x': 'Employees',
};
const nameOf: NameOf = ({ type, id }) => NAMES[`${type} ${id}`];
const named = (type: string) => [
  { type, id: 'x', name: NAMES[`${type} x`] },
  { type, id: 'gone', name: 'gone' },
];

const external = { attributes: { cost: 'high' }, externalId: 'x-1' };
const withoutExternal = { attributes: {}, externalId: null };

test('bundles are shown with the names of what they have; an id stands for a missing name', () => {
  const entitlements = ['x', 'gone'];
  expect(showAccessProfile({ id: 'ap', name: 'AP', entitlements, ...external }, nameOf)).toEqual({
    id: 'ap',
    name: 'AP',
    entitlements: named('ENTITLEMENT'),
    ...external,
  });
  expect(showRole({ id: 'r', name: 'R', accessProfiles: ['x', 'gone'], entitlements }, nameOf)).toEqual({
    id: 'r',
    name: 'R',
    accessProfiles: named('ACCESS_PROFILE'),
    entitlements: named('ENTITLEMENT'),
    ...withoutExternal,
  });
});

test('an identity is shown with its violations, its profile and its assignments, whose missing bounds are null', () => {
  const counts = { open: 2, mitigated: 1 };
  const start = '2026-01-01T00:00:00.000Z';
  const access = [
    { type: 'ROLE', id: 'x', start },
    { type: 'ENTITLEMENT', id: 'gone', end: start },
  ] as const;
  const { access: _, ...identity } = storedIdentity('i-1', { identityProfile: 'x' });
  const listed = listIdentity(identity, counts, nameOf);
  expect(listed).toEqual({
    ...identity,
    ...withoutExternal,
    identityProfile: { type: 'IDENTITY_PROFILE', id: 'x', name: 'Employees' },
    violations: counts,
  });
  const accounts = [{ key: 'k', source: 'erp', access: [{ type: 'ROLE', id: 'x' } as const] }];
  expect(showIdentity({ ...identity, access }, { violations: counts, accounts }, nameOf)).toEqual({
    ...listed,
    assignments: [
      { type: 'ROLE', id: 'x', name: 'Payer', start, end: null },
      { type: 'ENTITLEMENT', id: 'gone', name: 'gone', start: null, end: start },
      { type: 'ROLE', id: 'x', name: 'Payer', start: null, end: null, source: 'erp', accountKey: 'k' },
    ],
  });
});
