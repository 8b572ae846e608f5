import { describe, expect, test } from 'vitest';
import type { SignInApplication } from '../src/sign-in/factors/applications.ts';
import { openTestApi, WORLD } from './test-api.ts';

const DECISION = '/sign-in/v1/decision';
const NETWORK = { range: ['10.0.0.0/8'], geolocation: ['CH'], whitelisted: true };
const APPLICATION: SignInApplication = {
  ...({ id: 'app-1', name: 'Portal', kind: 'oidc', tenants: ['default'], issuer: 'https://sso.example.com' } as const),
  clientId: 'c',
  clientSecret: 's',
  usernameClaim: 'preferred_username',
  scopes: 'openid',
};
const profile = (id: string, authProfile: object) => ({ kind: 'identityProfile', id, name: id, authProfile });
const person = (id: string, identityProfile: string) => ({ kind: 'identity', id, uid: `Uid-${id}`, identityProfile });

async function openWorld(config = {}) {
  const api = await openTestApi({ signInApplications: [APPLICATION], ...config });
  await api.importRecords([
    ...WORLD,
    profile('ip-mfa', { type: 'MFA', offNetwork: true, untrustedGeography: true }),
    profile('ip-pta', { type: 'PTA', applicationId: 'app-1' }),
    profile('ip-gone', { type: 'PTA', applicationId: 'app-2' }),
    profile('ip-block', { type: 'BLOCK' }),
    ...['mfa', 'pta', 'gone', 'block'].map((kind) => person(kind, `ip-${kind}`)),
  ]);
  const decide = async (body: object) => (await api.call('POST', DECISION, { body })).json;
  return { api, decide };
}

describe('the decision on a sign-in', () => {
  test('names the outcome, the reasons, the auth profile and what verifies', async () => {
    const { decide } = await openWorld();
    expect(await decide({ identityId: 'i-ada', ip: '10.1.2.3' })).toEqual({
      decision: 'ALLOW',
      reasons: [],
      authProfile: { id: 'ip-emp', name: 'Employees', type: 'NON_PTA' },
      verifiedBy: 'PASSWORD',
    });
    const shown = async (identityId: string) => {
      const { decision, reasons, verifiedBy } = await decide({ identityId, ip: '10.1.2.3' });
      return [decision, reasons.join(), verifiedBy];
    };
    expect(await shown('mfa')).toEqual(['SECOND_FACTOR', 'SECOND_FACTOR_REQUIRED,NOT_CONFIGURED', 'PASSWORD']);
    expect(await shown('pta')).toEqual(['ALLOW', '', 'APPLICATION']);
    expect(await shown('gone')).toEqual(['BLOCK', 'APPLICATION_UNKNOWN', 'APPLICATION']);
    expect(await shown('block')).toEqual(['BLOCK', 'PROFILE_BLOCKED', null]);
  });

  test('depends on the address and the country, given or of the address', async () => {
    const countryOf = (address: string) => (address === '10.0.0.7' ? 'CH' : null);
    const { api, decide } = await openWorld({ countryOf });
    await api.call('POST', '/auth-org/v1/network-config', { body: NETWORK });
    const reasons = async (body: object) => (await decide({ identityId: 'mfa', ...body })).reasons.slice(0, -1).join();
    expect(await reasons({ ip: '10.0.0.7' })).toBe('');
    expect(await reasons({ ip: '::ffff:10.1.2.3', country: 'CH' })).toBe('');
    expect(await reasons({ ip: '10.1.2.3' })).toBe('UNTRUSTED_GEOGRAPHY');
    expect(await reasons({ ip: '10.0.0.7', country: 'DE' })).toBe('UNTRUSTED_GEOGRAPHY');
    expect(await reasons({ ip: '2001:db8::1', country: null })).toBe('OFF_NETWORK,UNTRUSTED_GEOGRAPHY');
  });

  test('finds a user name whatever its case, and tells a lock of the user or of the address', async () => {
    const { api, decide } = await openWorld();
    const nowMs = api.clock.nowMs;
    const limits = { windowMs: 1_000, durationMs: 60_000, userAttempts: 1, addressAttempts: 1, nowMs };
    const context = {
      tenant: 'default',
      actor: { clientId: 'c', identityId: null },
      operation: 'test',
      time: new Date(nowMs).toISOString(),
      trackingId: '0'.repeat(32),
    };
    await api.store.signInFailures.record(context, { ...limits, identityId: 'pta', address: '2001:db8:1:2::/64' });
    const lock = async (body: object) => (await decide(body)).reasons.includes('LOCKED_OUT');
    expect(await lock({ username: 'UID-PTA', ip: '10.0.0.1' })).toBe(true);
    expect(await lock({ username: 'uid-mfa', ip: '2001:db8:1:2::9' })).toBe(true);
    expect(await lock({ username: 'uid-mfa', ip: '2001:db8:1:3::9' })).toBe(false);
    const at = (ms: number) => ({ at: new Date(nowMs + ms).toISOString() });
    for (const where of [
      { username: 'uid-pta', ip: '10.0.0.1' },
      { username: 'uid-mfa', ip: '2001:db8:1:2::9' },
    ]) {
      const held = [];
      for (const ms of [-1, 0, 59_999, 60_000]) held.push(await lock({ ...where, ...at(ms) }));
      expect(held).toEqual([false, true, true, false]);
    }
  });

  test.each<[string, object, number, string]>([
    ['an unknown identity', { identityId: 'i-none', ip: '::1' }, 404, '404'],
    ['an unknown username', { username: 'none', ip: '::1' }, 404, '404'],
    ['a username in full-width letters', { username: 'ａｄａ', ip: '::1' }, 404, '404'],
    ['neither', { ip: '::1' }, 400, '400.1.0'],
    ['both', { identityId: 'i-ada', username: 'ada', ip: '::1' }, 400, '400.1'],
    ['no address', { identityId: 'i-ada' }, 400, '400.1.0'],
    ['a wrong address', { identityId: 'i-ada', ip: '10.0.0.0/8' }, 400, '400.1.3'],
    ['a wrong country', { identityId: 'i-ada', ip: '::1', country: 'ch' }, 400, '400.1.3'],
    ['a wrong instant', { identityId: 'i-ada', ip: '::1', at: 'now' }, 400, '400.1.3'],
    ['an unknown property', { identityId: 'i-ada', ip: '::1', when: 'now' }, 400, '400.1'],
  ])('refuses %s', async (_, body, status, detailCode) => {
    const { api } = await openWorld();
    const answer = await api.call('POST', DECISION, { body });
    expect([answer.status, answer.json.detailCode]).toEqual([status, detailCode]);
  });

  test('is asked by ORG_ADMIN and HELPDESK, of their own tenant', async () => {
    const { api } = await openWorld();
    const ask = async (token: string) =>
      (await api.call('POST', DECISION, { token, body: { identityId: 'i-ada', ip: '::1' } })).status;
    expect(await ask(await api.clientToken({ identityId: 'i-hal' }))).toBe(200);
    expect(await ask(await api.clientToken({ identityId: 'i-cleo' }))).toBe(403);
    expect(await ask(await api.clientToken({ tenant: 'other' }))).toBe(404);
  });
});
