import { describe, expect, test } from 'vitest';
import type { AccessRef, TimedAccessRef } from '../access/model/records.ts';
import { accessHoldersOf, grantingAccessOf } from './holders.ts';

const profile = (id: string, ...entitlements: string[]) => ({ id, name: `Profile ${id}`, entitlements });
const BUNDLES = {
  accessProfiles: [profile('ap-1', 'e-1'), profile('ap-2', 'e-1', 'e-2'), profile('ap-3', 'e-3')],
  roles: [
    { id: 'r-direct', name: 'Direct', accessProfiles: ['ap-1'], entitlements: ['e-1'] },
    { id: 'r-through', name: 'Through', accessProfiles: ['ap-3', 'ap-2', 'ap-1'], entitlements: [] },
    { id: 'r-other', name: 'Other', accessProfiles: ['ap-3'], entitlements: ['e-3'] },
  ],
};
const IDENTITY = { type: 'IDENTITY', id: 'i-1', name: 'Ada' } as const;

const wayTo = (target: AccessRef, ...access: readonly TimedAccessRef[]) =>
  accessHoldersOf(IDENTITY, access, grantingAccessOf(target, BUNDLES)).map(({ via, start, end }) =>
    [via.map(({ type, id }) => `${type} ${id}`).join(' > '), start, end].filter((part) => part !== null).join(' '),
  );

const ENTITLEMENT = { type: 'ENTITLEMENT', id: 'e-1' } as const;
const role = (id: string) => ({ type: 'ROLE', id }) as const;
const accessProfile = (id: string) => ({ type: 'ACCESS_PROFILE', id }) as const;

describe('what gives an entitlement to its holder', () => {
  test.each<[string, TimedAccessRef, readonly string[]]>([
    ['the entitlement itself', ENTITLEMENT, ['']],
    ['an access profile with it', accessProfile('ap-2'), ['ACCESS_PROFILE ap-2']],
    ['a role with it, although it also has it through an access profile', role('r-direct'), ['ROLE r-direct']],
    [
      'a role through the access profile that comes first by its id',
      role('r-through'),
      ['ROLE r-through > ACCESS_PROFILE ap-1'],
    ],
    ['no role without it', role('r-other'), []],
    ['no access profile without it', accessProfile('ap-3'), []],
    ['no other kind of access with its id', { type: 'ROLE', id: 'e-1' }, []],
  ])('%s', (_, ref, ways) => {
    expect(wayTo(ENTITLEMENT, ref)).toEqual(ways);
  });

  test('is told the shortest way first, then by ids and start', () => {
    const access = [
      role('r-through'),
      role('r-direct'),
      { ...accessProfile('ap-2'), start: '2027-01-01T00:00:00.000Z' },
      accessProfile('ap-2'),
      accessProfile('ap-1'),
      ENTITLEMENT,
    ];
    expect(wayTo(ENTITLEMENT, ...access)).toEqual([
      '',
      'ACCESS_PROFILE ap-1',
      'ACCESS_PROFILE ap-2',
      'ACCESS_PROFILE ap-2 2027-01-01T00:00:00.000Z',
      'ROLE r-direct',
      'ROLE r-through > ACCESS_PROFILE ap-1',
    ]);
  });
});

test('an access profile is given by itself and by the roles that have it, a role by itself', () => {
  expect(wayTo(accessProfile('ap-1'), accessProfile('ap-1'), role('r-direct'), role('r-other'))).toEqual([
    '',
    'ROLE r-direct',
  ]);
  expect(wayTo(role('r-direct'), role('r-direct'), role('r-through'), accessProfile('ap-1'))).toEqual(['']);
});
