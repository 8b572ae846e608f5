import { describe, expect, test } from 'vitest';
import { openTestApi, type TestApi, WORLD } from './test-api.ts';

const LOCKOUT = '/auth-org/v1/lockout-config';
const SESSION = '/auth-org/v1/session-config';
const NETWORK = '/auth-org/v1/network-config';
const replace = (path: string, value: unknown) => ({ op: 'replace', path, value });

const outcome = async (api: TestApi, path: string, body: unknown) => {
  const { status, json } = await api.call('PATCH', path, { body });
  return [status, json.detailCode];
};

describe('the settings of sign-in', () => {
  test('have the defaults of the contract, and keep what is set, each for itself', async () => {
    const { call, clientToken } = await openTestApi();
    const other = await clientToken({ tenant: 'other' });
    const defaults: Readonly<Record<string, object>> = {
      [LOCKOUT]: { maximumAttempts: 5, lockoutDuration: 15, lockoutWindow: 5 },
      [SESSION]: { maxIdleTime: 15, rememberMe: false, maxSessionTime: 480 },
      [NETWORK]: { range: null, geolocation: null, whitelisted: false },
    };
    for (const [path, config] of Object.entries(defaults)) expect((await call('GET', path)).json).toEqual(config);
    const patched = await call('PATCH', SESSION, {
      body: [replace('/maxIdleTime', 600), replace('/maxSessionTime', 601)],
    });
    expect(patched.json).toEqual({ maxIdleTime: 600, rememberMe: false, maxSessionTime: 601 });
    const read = await call('GET', SESSION);
    expect([read.json, read.headers.get('etag')]).toEqual([patched.json, patched.headers.get('etag')]);
    expect((await call('GET', LOCKOUT)).json).toEqual(defaults[LOCKOUT]);
    expect((await call('GET', SESSION, { token: other })).json).toEqual(defaults[SESSION]);
  });

  test('POST replaces the whole network config, PATCH a part of it', async () => {
    const { call } = await openTestApi();
    const full = {
      range: ['1.3.7.2', '255.255.255.252/30', '::ffff:10.0.0.0/104'],
      geolocation: ['CA', 'FR'],
      whitelisted: true,
    };
    expect((await call('POST', NETWORK, { body: full })).json).toEqual(full);
    const added = await call('PATCH', NETWORK, { body: [{ op: 'add', path: '/geolocation/-', value: 'HT' }] });
    expect(added.json).toEqual({ ...full, geolocation: ['CA', 'FR', 'HT'] });
    const posted = await call('POST', NETWORK, { body: { range: ['::1'] } });
    expect([posted.status, posted.json]).toEqual([200, { range: ['::1'], geolocation: null, whitelisted: false }]);
    const etag = added.headers.get('etag') ?? '';
    expect((await call('POST', NETWORK, { body: full, headers: { 'if-match': etag } })).status).toBe(412);
    expect((await call('GET', NETWORK)).json).toEqual(posted.json);
  });

  test.each<[string, unknown, number, string]>([
    [LOCKOUT, [replace('/maximumAttempts', 16)], 400, '400.1.3'],
    [LOCKOUT, [replace('/lockoutDuration', 4)], 400, '400.1.3'],
    [LOCKOUT, [replace('/id', 1)], 400, '400.1.1'],
    [SESSION, [replace('/maxSessionTime', 15)], 400, '400.1.3'],
    [SESSION, [{ op: 'test', path: '/rememberMe', value: true }], 409, '409.1'],
    [NETWORK, [replace('/range', ['10.0.0.0/33'])], 400, '400.1.3'],
    [NETWORK, [replace('/range', Array(501).fill('::1'))], 400, '400.1.4'],
    [NETWORK, [replace('/geolocation', ['ch'])], 400, '400.1.3'],
  ])('%s refuses %j with %s %s', async (path, body, status, detailCode) => {
    const api = await openTestApi();
    const before = await api.call('GET', path);
    expect(await outcome(api, path, body)).toEqual([status, detailCode]);
    expect((await api.call('GET', path)).text).toBe(before.text);
  });

  test('a body of the wrong shape is refused, and names what is wrong', async () => {
    const { call } = await openTestApi();
    const post = async (body: unknown) => (await call('POST', NETWORK, { body })).json.detailCode;
    expect(await post({ range: '10.0.0.0/8' })).toBe('400.1.3');
    expect(await post({ range: [7] })).toBe('400.1.3');
    expect(await post({ ranges: [] })).toBe('400.1');
    expect(await post({ whitelisted: 'yes' })).toBe('400.1.3');
    expect(await post([])).toBe('400.1');
  });

  test('HELPDESK reads them, and ORG_ADMIN alone changes them', async () => {
    const { call, importRecords, clientToken } = await openTestApi();
    await importRecords([
      ...WORLD,
      { kind: 'identity', id: 'i-aud', uid: 'aud', identityProfile: 'ip-emp', capabilities: ['das:ui-auditor'] },
    ]);
    const statuses: Record<string, readonly number[]> = {};
    for (const identityId of ['i-ada', 'i-hal', 'i-cleo', 'i-aud']) {
      const token = await clientToken({ identityId });
      const read = (await call('GET', NETWORK, { token })).status;
      statuses[identityId] = [read, (await call('PATCH', NETWORK, { token, body: [] })).status];
    }
    expect(statuses).toEqual({ 'i-ada': [200, 200], 'i-hal': [200, 403], 'i-cleo': [403, 403], 'i-aud': [403, 403] });
  });
});
