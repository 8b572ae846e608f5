import { expect, test } from 'vitest';
import type { DecidingAuthProfile } from './decision.ts';
import { type ConcernedIdentity, createSignInDryRun, type TriedSignInChange } from './dry-run.ts';
import { DEFAULT_NETWORK_CONFIG } from './network-config.ts';

const asker = { address: '10.1.2.3', country: 'CH', isApplicationKnown: () => false, identityId: 'i-a-asker' };
const OPEN = DEFAULT_NETWORK_CONFIG;

const profile = (id: string, fields: Partial<DecidingAuthProfile> = {}): DecidingAuthProfile => ({
  id,
  name: id,
  type: 'NON_PTA',
  offNetwork: false,
  untrustedGeography: false,
  applicationId: null,
  strongAuthLogin: false,
  ...fields,
});

const identity = (authProfile: DecidingAuthProfile, ...factors: readonly string[]): ConcernedIdentity => ({
  identityId: `i-${authProfile.id}-${factors.join('-')}`,
  displayName: null,
  active: true,
  authProfile,
  hasPassword: factors.includes('password'),
  hasTotp: factors.includes('totp'),
  hasPasskey: factors.includes('passkey'),
});

/** A change of the auth profile `a`. */
const changeOf = (fields: Partial<DecidingAuthProfile>): TriedSignInChange => ({
  network: { before: OPEN, after: OPEN },
  profileAfter: (before) => (before.id === 'a' ? { ...before, ...fields } : before),
});

function run(change: TriedSignInChange, identities: readonly ConcernedIdentity[], admins = identities) {
  const count = createSignInDryRun(change, asker);
  for (const each of identities) count.add(each);
  return count.finish({ admins, network: change.network.before });
}

test('a second factor that is demanded anew is counted, and who lacks one', () => {
  const identities = [[], ['password'], ['password', 'totp'], ['passkey'], ['totp']].map((factors) =>
    identity(profile('a'), ...factors),
  );
  expect(run(changeOf({ type: 'MFA' }), identities)).toMatchObject({
    identities: 5,
    newlyBlocked: 0,
    newlySecondFactor: 5,
    withoutFactor: 3,
    wouldBeRefused: false,
    sample: identities.map(({ identityId }) => ({ identityId, before: 'ALLOW', after: 'SECOND_FACTOR' })),
  });
});

test('the sample begins with the identity that asks, also after a hundred others', () => {
  const others = Array.from({ length: 101 }, (_, at) => identity(profile('a'), String(at)));
  const { sample } = run(changeOf({ type: 'BLOCK' }), [...others, identity(profile('a'), 'asker')]);
  expect(sample.map(({ identityId }) => identityId)).toEqual([
    'i-a-asker',
    ...others.slice(0, 99).map(({ identityId }) => identityId),
  ]);
});

test('a change that blocks the only administrator would be refused', () => {
  const ada = identity(profile('a'), 'password');
  const bob = identity(profile('b'), 'password');
  const blocking = changeOf({ type: 'BLOCK' });
  expect(run(blocking, [ada])).toMatchObject({ newlyBlocked: 1, wouldBeRefused: true });
  expect(run(blocking, [ada], [ada, bob])).toMatchObject({ newlyBlocked: 1, wouldBeRefused: false });
  expect(run(blocking, [ada], [])).toMatchObject({ wouldBeRefused: false });
});

test('an outcome that stays is no news, and is not in the sample', () => {
  const mfa = profile('a', { type: 'MFA' });
  expect(run(changeOf({ offNetwork: true }), [identity(mfa, 'password')])).toEqual({
    identities: 1,
    newlyBlocked: 0,
    newlySecondFactor: 0,
    withoutFactor: 1,
    sample: [],
    wouldBeRefused: false,
  });
  const blocked = profile('a', { type: 'BLOCK' });
  expect(run(changeOf({ type: 'MFA' }), [identity(blocked, 'passkey')])).toMatchObject({
    newlyBlocked: 0,
    newlySecondFactor: 1,
    withoutFactor: 0,
    sample: [{ before: 'BLOCK', after: 'SECOND_FACTOR' }],
  });
});

test('a change of the network config concerns the auth profiles that use it', () => {
  const network = { before: OPEN, after: { ...OPEN, range: ['192.0.2.0/24'] } };
  const change = { network, profileAfter: (before: DecidingAuthProfile) => before };
  const inside = identity(profile('a', { offNetwork: true }), 'password');
  const anywhere = identity(profile('b'), 'password');
  expect(run(change, [inside, anywhere])).toEqual({
    identities: 2,
    newlyBlocked: 1,
    newlySecondFactor: 0,
    withoutFactor: 0,
    wouldBeRefused: false,
    sample: [{ identityId: inside.identityId, displayName: null, before: 'ALLOW', after: 'BLOCK' }],
  });
  expect(run(change, [inside], [inside])).toMatchObject({ wouldBeRefused: true });
});

test('the sample has 100 identities at most', () => {
  const identities = Array.from({ length: 101 }, () => identity(profile('a')));
  const { identities: counted, sample } = run(changeOf({ type: 'BLOCK' }), identities);
  expect([counted, sample.length]).toEqual([101, 100]);
});
