import { expect, test } from 'vitest';
import { openTestApi, type TestApi } from './test-api.ts';

const LOCKOUT = { kind: 'lockoutConfig', id: 'tenant' };
const SESSION = { kind: 'sessionConfig', id: 'tenant' };
const NETWORK = { kind: 'networkConfig', id: 'tenant' };
const NONE = { created: 0, updated: 0, deleted: 0, unchanged: 0 };

const settingsOf = async ({ call }: TestApi) => ({
  lockout: (await call('GET', '/auth-org/v1/lockout-config')).json,
  session: (await call('GET', '/auth-org/v1/session-config')).json,
  network: (await call('GET', '/auth-org/v1/network-config')).json,
});

const DEFAULTS = {
  lockout: { maximumAttempts: 5, lockoutDuration: 15, lockoutWindow: 5 },
  session: { maxIdleTime: 15, rememberMe: false, maxSessionTime: 480 },
  network: { range: null, geolocation: null, whitelisted: false },
};

const exportOf = async ({ call }: TestApi) => (await call('GET', '/access-model/v1/export')).text;

test('the settings of sign-in are imported and exported', async () => {
  const api = await openTestApi();
  const records = [
    { ...LOCKOUT, maximumAttempts: 3 },
    { ...SESSION, maxIdleTime: 30, rememberMe: true },
    { ...NETWORK, range: ['10.0.0.0/8'], geolocation: ['CH'], whitelisted: true },
  ];
  const { json } = await api.importRecords(records);
  const created = { ...NONE, created: 1 };
  expect(json.counts).toMatchObject({ lockoutConfig: created, sessionConfig: created, networkConfig: created });
  const after = {
    lockout: { ...DEFAULTS.lockout, maximumAttempts: 3 },
    session: { ...DEFAULTS.session, maxIdleTime: 30, rememberMe: true },
    network: { range: ['10.0.0.0/8'], geolocation: ['CH'], whitelisted: true },
  };
  expect(await settingsOf(api)).toEqual(after);
  const text = await exportOf(api);
  expect(
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual([
    { ...LOCKOUT, ...after.lockout },
    { ...SESSION, ...after.session },
    { ...NETWORK, ...after.network },
  ]);
  const other = await openTestApi();
  await other.importRecords(
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  );
  expect(await exportOf(other)).toBe(text);
  const unchanged = { ...NONE, unchanged: 1 };
  expect((await api.importRecords(records)).json.counts).toMatchObject({
    lockoutConfig: unchanged,
    sessionConfig: unchanged,
    networkConfig: unchanged,
  });
});

test('a record replaces the setting, and its deletion resets it', async () => {
  const api = await openTestApi();
  await api.importRecords([{ ...SESSION, maxIdleTime: 30 }]);
  const { json } = await api.importRecords([{ ...SESSION, rememberMe: true }]);
  expect(json.counts.sessionConfig).toEqual({ ...NONE, updated: 1 });
  expect((await settingsOf(api)).session).toEqual({ ...DEFAULTS.session, rememberMe: true });
  const deleted = await api.importRecords([
    { ...SESSION, delete: true },
    { ...LOCKOUT, delete: true },
  ]);
  expect(deleted.json.counts).toMatchObject({ sessionConfig: { ...NONE, deleted: 1 }, lockoutConfig: NONE });
  expect(await settingsOf(api)).toEqual(DEFAULTS);
  expect(await exportOf(api)).toBe('');
});

test('changes are in the audit log under the kind of the setting', async () => {
  const api = await openTestApi();
  await api.importRecords([{ ...NETWORK, range: ['10.0.0.0/8'] }]);
  const { json } = await api.call('GET', '/audit-events/v1?filters=resourceType%20eq%20%22NETWORK_CONFIG%22');
  expect(json).toMatchObject([
    {
      resource: { type: 'NETWORK_CONFIG', id: 'tenant' },
      changes: [{ field: 'range', before: null, after: ['10.0.0.0/8'] }],
    },
  ]);
});

test.each([
  ['400.1.3', 'line 1: maximumAttempts', { ...LOCKOUT, maximumAttempts: 16 }],
  ['400.1.3', 'maximumAttempts', { ...LOCKOUT, maximumAttempts: '3' }],
  ['400.1.3', 'line 1: maxSessionTime', { ...SESSION, maxSessionTime: 15 }],
  ['400.1.3', 'line 1: range[0]', { ...NETWORK, range: ['x'] }],
  ['400.1.4', 'line 1: range', { ...NETWORK, range: Array(501).fill('::1') }],
  ['400.1', 'idleTime', { ...SESSION, idleTime: 15 }],
  ['400.1.3', 'id', { ...NETWORK, id: 'other' }],
])('%s at %s: an illegal setting refuses the import', async (code, at, record) => {
  const api = await openTestApi();
  const { status, json } = await api.importRecords([record]);
  expect([status, json.detailCode]).toEqual([400, code]);
  expect(json.causes[0].text).toContain(at);
  expect(await settingsOf(api)).toEqual(DEFAULTS);
});
