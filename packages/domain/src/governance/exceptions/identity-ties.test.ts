import { describe, expect, test } from 'vitest';
import { storedIdentity } from '../../../test/import-world.ts';
import type { IdentityProfile } from '../../access/model/records.ts';
import type { AuthProfileSettings } from '../../administration/auth-profile.ts';
import {
  type IdentityTie,
  identitiesMoved,
  identitiesTied,
  profilesTied,
  tiedUntil,
  tiesToMaker,
} from './identity-ties.ts';

const SETTINGS: AuthProfileSettings = {
  type: 'NON_PTA',
  offNetwork: false,
  untrustedGeography: false,
  applicationId: null,
  applicationName: null,
};
const NOW_MS = Date.parse('2026-11-21T09:30:00.000Z');
const hours = (count: number) => new Date(NOW_MS + count * 3_600_000).toISOString();
const NOW = hours(0);
const tie = (makerId: string, identityId: string, made: number): IdentityTie => ({
  makerId,
  identityId,
  made: hours(made),
});

describe('two identities are tied', () => {
  test.each([
    ['by what one did for the other', [tie('a', 'b', -1)], hours(23)],
    ['in either direction', [tie('b', 'a', -1)], hours(23)],
    ['by the last of several acts', [tie('a', 'b', -20), tie('b', 'a', -2), tie('a', 'b', -3)], hours(22)],
    ['until 24 hours have passed', [tie('a', 'b', -24)], null],
    ['not by a third one that is tied to both', [tie('c', 'a', -1), tie('c', 'b', -5)], null],
    ['not by a chain of ties', [tie('a', 'c', -3), tie('c', 'b', -2)], null],
    ['not by ties of others', [tie('a', 'c', -1), tie('d', 'b', -1)], null],
    ['not by what they do for themselves', [tie('a', 'a', -1), tie('b', 'b', -1)], null],
    ['not without ties', [], null],
  ])('%s', (_, ties, until) => {
    expect(tiedUntil(ties, ['a', 'b'], NOW)).toBe(until);
    expect(tiedUntil(ties.toReversed(), ['b', 'a'], NOW)).toBe(until);
  });

  test('never with themselves', () => {
    expect(tiedUntil([tie('a', 'b', -1)], ['a', 'a'], NOW)).toBeNull();
  });
});

describe('a change of an identity', () => {
  const before = { uid: 'bea', identityProfile: 'ip', capabilities: ['HELPDESK', 'POLICY_ADMIN'] } as const;

  test.each([
    ['that creates it', null, before, true],
    ['of its uid', before, { ...before, uid: 'Bea' }, true],
    ['of its identity profile', before, { ...before, identityProfile: 'ip-2' }, true],
    ['that gives it ORG_ADMIN', before, { ...before, capabilities: ['POLICY_ADMIN', 'ORG_ADMIN'] }, true],
    ['that gives it POLICY_ADMIN', { ...before, capabilities: [] }, before, true],
    ['of nothing of these', before, { ...before, capabilities: ['POLICY_ADMIN', 'CERT_ADMIN'] }, false],
    ['that takes capabilities', before, { ...before, capabilities: [] }, false],
  ] as const)('%s', (_, was, is, ties) => {
    expect(tiesToMaker(was, is)).toBe(ties);
  });
});

test('a write ties its maker to the identities that it creates or by which somebody else may act, and to no other', () => {
  const stored = new Map(['i-renamed', 'i-moved', 'i-named'].map((id) => [id, storedIdentity(id)]));
  const written = [
    storedIdentity('i-renamed', { uid: 'other' }),
    storedIdentity('i-named', { displayName: 'Another name' }),
    storedIdentity('i-new'),
    storedIdentity('i-moved', { identityProfile: 'ip-other' }),
  ];
  expect([...identitiesTied(written, stored)]).toEqual(['i-renamed', 'i-new', 'i-moved']);
  const from = storedIdentity('i-moved').identityProfile;
  expect([...identitiesMoved(written, stored)]).toEqual([{ id: 'i-moved', from }]);
});

test('a write ties its maker to the identities of profiles whose type or application it changes, and of no other', () => {
  const profile = (id: string, authProfile: Partial<AuthProfileSettings> = {}): IdentityProfile => ({
    id,
    name: id,
    authProfile: { ...SETTINGS, ...authProfile },
  });
  const stored = new Map(['ip-type', 'ip-id', 'ip-name', 'ip-same', 'ip-network'].map((id) => [id, profile(id)]));
  const written = [
    profile('ip-type', { type: 'MFA' }),
    profile('ip-id', { applicationId: 'directory' }),
    profile('ip-name', { applicationName: 'Directory' }),
    profile('ip-same'),
    profile('ip-network', { offNetwork: true }),
    profile('ip-new', { type: 'MFA' }),
  ];
  expect([...profilesTied(written, stored)]).toEqual(['ip-type', 'ip-id', 'ip-name']);
});
