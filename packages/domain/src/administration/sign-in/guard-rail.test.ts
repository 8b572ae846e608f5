import { expect, test } from 'vitest';
import type { DecidingAuthProfile } from './decision.ts';
import { type AdminGroup, createSignInGuard, createSignInGuardAnywhere } from './guard-rail.ts';
import { DEFAULT_NETWORK_CONFIG } from './network-config.ts';

const asker = { address: '10.1.2.3', country: 'CH', isApplicationKnown: (id: string | null) => id === 'app-1' };
const { holds } = createSignInGuard(asker);

const group = (profile: Partial<DecidingAuthProfile>, ...factors: readonly string[]): AdminGroup => ({
  active: true,
  authProfile: {
    id: 'ip',
    name: 'P',
    type: 'NON_PTA',
    offNetwork: false,
    untrustedGeography: false,
    applicationId: null,
    strongAuthLogin: false,
    ...profile,
  },
  hasPassword: factors.includes('password'),
  hasTotp: factors.includes('totp'),
  hasPasskey: factors.includes('passkey'),
});

const PTA = { type: 'PTA', applicationId: 'app-1' } as const;

test.each<[boolean, string, AdminGroup]>([
  [false, 'nothing to prove it by', group({})],
  [true, 'a password', group({}, 'password')],
  [true, 'a passkey in place of a password', group({}, 'passkey')],
  [false, 'a second factor alone', group({}, 'totp')],
  [false, 'a password where a second factor is needed', group({ type: 'MFA' }, 'password')],
  [true, 'a password and codes', group({ type: 'MFA' }, 'password', 'totp')],
  [true, 'a passkey for both', group({ type: 'MFA' }, 'passkey')],
  [false, 'codes without a password', group({ type: 'MFA' }, 'totp')],
  [true, 'an application', group(PTA)],
  [false, 'an unknown application', group({ ...PTA, applicationId: 'app-2' }, 'password', 'passkey')],
  [false, 'an application where a second factor is needed', group({ ...PTA, strongAuthLogin: true }, 'password')],
  [true, 'an application and codes', group({ ...PTA, strongAuthLogin: true }, 'totp')],
  [false, 'a password that is not active', { ...group({}, 'password'), active: false }],
  [false, 'a blocked profile', group({ type: 'BLOCK' }, 'password', 'totp', 'passkey')],
])('%s: an administrator with %s can sign in', (expected, _, admin) => {
  expect(holds({ admins: [admin], network: DEFAULT_NETWORK_CONFIG })).toBe(expected);
  expect(holds({ admins: [group({}), admin], network: DEFAULT_NETWORK_CONFIG })).toBe(expected);
});

test('the network and the country of the asker count', () => {
  const admins = [group({ offNetwork: true, untrustedGeography: true }, 'password')];
  const network = { range: ['10.0.0.0/8'], geolocation: ['CH'], whitelisted: true };
  expect(holds({ admins, network })).toBe(true);
  expect(holds({ admins, network: { ...network, range: ['11.0.0.0/8'] } })).toBe(false);
  expect(holds({ admins, network: { ...network, whitelisted: false } })).toBe(false);
  expect(holds({ admins: [], network })).toBe(false);
});

test('where the asker says nothing of administrators, neither network nor country counts', () => {
  const anywhere = createSignInGuardAnywhere(asker);
  const admin = group({ offNetwork: true, untrustedGeography: true }, 'password');
  const network = { range: ['11.0.0.0/8'], geolocation: ['US'], whitelisted: true };
  expect(holds({ admins: [admin], network })).toBe(false);
  expect(anywhere.holds({ admins: [admin], network })).toBe(true);
  expect(anywhere.holds({ admins: [{ ...admin, active: false }], network })).toBe(false);
});
