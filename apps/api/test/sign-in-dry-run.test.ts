import { expect, test } from 'vitest';
import { openTestApi, type TestApi, WORLD } from './test-api.ts';

const EXPERIMENTAL = { 'x-service-experimental': 'true' };
const PROFILE = '/auth-profiles/v1/ip-emp';
const NETWORK = '/auth-org/v1/network-config';
const replace = (path: string, value: unknown) => ({ op: 'replace', path, value });

const patch = ({ call }: TestApi, path: string, body: unknown, headers = {}) =>
  call('PATCH', path, { body, headers: { ...EXPERIMENTAL, ...headers } });

/** Ada, Bob, Cleo and others of one auth profile; Ada alone can sign in. */
async function openWorld(config = {}): Promise<TestApi> {
  const api = await openTestApi(config);
  await api.importRecords(WORLD);
  const actor = { clientId: 'c', identityId: null };
  const time = new Date(api.clock.nowMs).toISOString();
  const context = { tenant: 'default', actor, operation: 'test', time, trackingId: '0'.repeat(32) };
  await api.store.credentials.setPassword(context, 'i-ada', {
    hash: 'phc',
    link: null,
    usedLink: null,
    keepSession: null,
  });
  return api;
}

const identities = WORLD.filter(({ kind }) => kind === 'identity');
const sampleOf = (before: string, after: string) =>
  identities
    .map(({ id }) => ({ identityId: id, displayName: expect.any(String), before, after }))
    .sort((one, other) => (one.identityId < other.identityId ? -1 : 1));

test('a dry-run of an auth profile says what the patch would do, and changes nothing', async () => {
  const api = await openWorld();
  const before = (await api.call('GET', PROFILE, { headers: EXPERIMENTAL })).text;
  const events = await countEvents(api);
  const all = { identities: identities.length, newlyBlocked: 0, newlySecondFactor: 0, withoutFactor: 0, sample: [] };
  const dryRun = (body: unknown) => patch(api, `${PROFILE}?dryRun=true`, body);

  const blocked = await dryRun([replace('/type', 'BLOCK')]);
  expect([blocked.status, blocked.headers.get('etag')]).toEqual([200, null]);
  expect(blocked.json).toEqual({
    ...all,
    newlyBlocked: identities.length,
    wouldBeRefused: true,
    sample: sampleOf('ALLOW', 'BLOCK'),
  });
  expect((await dryRun([replace('/type', 'MFA')])).json).toEqual({
    ...all,
    newlySecondFactor: identities.length,
    withoutFactor: identities.length,
    wouldBeRefused: true,
    sample: sampleOf('ALLOW', 'SECOND_FACTOR'),
  });
  expect((await dryRun([replace('/offNetwork', true)])).json).toEqual({ ...all, wouldBeRefused: false });
  expect((await api.call('GET', PROFILE, { headers: EXPERIMENTAL })).text).toBe(before);
  expect(await countEvents(api)).toBe(events);
  expect((await patch(api, `${PROFILE}?dryRun=false`, [replace('/offNetwork', true)])).json.offNetwork).toBe(true);
});

const countEvents = async ({ call }: TestApi) =>
  (await call('GET', '/audit-events/v1?limit=1&count=true')).headers.get('x-total-count');

test('identities of other auth profiles are not concerned', async () => {
  const api = await openWorld();
  await api.importRecords([{ kind: 'identityProfile', id: 'ip-new', name: 'New' }]);
  const { json } = await patch(api, '/auth-profiles/v1/ip-new?dryRun=true', [replace('/type', 'BLOCK')]);
  expect(json).toEqual({
    identities: 0,
    newlyBlocked: 0,
    newlySecondFactor: 0,
    withoutFactor: 0,
    sample: [],
    wouldBeRefused: false,
  });
});

test('a dry-run of the network config asks from the address of the caller, or from another', async () => {
  const api = await openWorld({ countryOf: (address: string) => (address.startsWith('10.') ? 'CH' : null) });
  await patch(api, PROFILE, [replace('/offNetwork', true), replace('/untrustedGeography', true)]);
  const body = [
    replace('/range', ['10.0.0.0/8']),
    replace('/geolocation', ['CH', 'AT']),
    replace('/whitelisted', true),
  ];
  const ask = async (query: string) => (await patch(api, `${NETWORK}?dryRun=true${query}`, body)).json;
  const blocking = { identities: identities.length, newlyBlocked: identities.length, wouldBeRefused: true };
  const harmless = { identities: identities.length, newlyBlocked: 0, sample: [], wouldBeRefused: false };
  expect(await ask('')).toMatchObject({ ...blocking, sample: sampleOf('ALLOW', 'BLOCK') });
  expect(await ask('&ip=10.1.2.3')).toMatchObject(harmless);
  expect(await ask('&ip=10.1.2.3&country=AT')).toMatchObject(harmless);
  expect(await ask('&ip=10.1.2.3&country=US')).toMatchObject(blocking);
  expect(await ask('&ip=192.0.2.1&country=CH')).toMatchObject(blocking);
  expect((await api.call('GET', NETWORK)).json).toEqual({ range: null, geolocation: null, whitelisted: false });
});

test.each([
  ['dryRun=1', 'dryRun'],
  ['dryRun=', 'dryRun'],
  ['dryRun=true&dryRun=true', 'dryRun'],
  ['dryRun=true&ip=10.1', 'ip'],
  ['dryRun=true&ip=', 'ip'],
  ['dryRun=true&ip=::1&ip=::1', 'ip'],
  ['dryRun=true&country=ch', 'country'],
])('%s is refused at %s', async (query, at) => {
  const api = await openTestApi();
  await api.importRecords(WORLD);
  for (const path of [PROFILE, NETWORK]) {
    const { status, json } = await patch(api, `${path}?${query}`, []);
    expect([status, json.detailCode]).toEqual([400, '400.1.3']);
    expect(json.causes[0].text).toContain(at);
  }
});

test('a dry-run is refused as the patch would be', async () => {
  const api = await openWorld();
  const outcome = async (path: string, body: unknown, headers = {}) => {
    const { status, json } = await patch(api, `${path}?dryRun=true`, body, headers);
    return `${status} ${json.detailCode}`;
  };
  expect(await outcome('/auth-profiles/v1/none', [replace('/type', 'MFA')])).toBe('404 404');
  expect(await outcome(PROFILE, [replace('/type', 'NONE')])).toBe('400 400.1.3');
  expect(await outcome(PROFILE, [replace('/id', 'x')])).toBe('400 400.1.1');
  expect(await outcome(PROFILE, [replace('/type', 'MFA')], { 'if-match': '"old"' })).toBe('412 412');
  expect(await outcome(NETWORK, [replace('/range', ['x'])])).toBe('400 400.1.3');
  expect(await outcome(NETWORK, [replace('/x', 1)])).toBe('400 400.1.1');
  expect(await outcome(NETWORK, [replace('/whitelisted', true)], { 'if-match': '"old"' })).toBe('412 412');
});

test('a dry-run is refused where there is none, and nothing is carried out', async () => {
  const api = await openWorld();
  const events = await countEvents(api);
  const line = JSON.stringify({ kind: 'entitlement', id: 'e-new', name: 'New', source: 'ERP' });
  const calls: readonly (readonly [string, string, { body?: unknown; headers?: Record<string, string> }?])[] = [
    ['POST', NETWORK, { body: { range: ['10.0.0.0/8'] } }],
    ['PATCH', '/auth-org/v1/lockout-config', { body: [replace('/maximumAttempts', 3)] }],
    ['PATCH', '/auth-org/v1/session-config', { body: [replace('/maxIdleTime', 5)] }],
    ['PATCH', '/auth-users/v1/i-cleo', { body: [replace('/capabilities', ['HELPDESK'])] }],
    ['PUT', '/ui-metadata/v1/tenant', { body: { usernameLabel: 'Badge' } }],
    ['POST', '/access-model/v1/import', { body: line, headers: { 'content-type': 'application/x-ndjson' } }],
    ['POST', '/auth-users/v1/i-cleo/sign-in-link', { body: { hours: 1 } }],
    ['DELETE', '/auth-users/v1/i-ada/credentials'],
    ['DELETE', '/sod-policies/v1/p-1'],
  ];
  const outcomes = async (query: string) => {
    const told = [];
    for (const [method, path, { headers = {}, ...options } = {}] of calls) {
      const { status, json } = await api.call(method, `${path}?${query}`, {
        ...options,
        headers: { ...EXPERIMENTAL, ...headers },
      });
      told.push(`${method} ${path}: ${status} ${json?.detailCode}`);
    }
    return told;
  };
  const refused = calls.map(([method, path]) => `${method} ${path}: 400 400.1.3`);
  for (const query of ['dryRun=true', 'dryRun', 'dryRun=1', 'dryrun=true', 'dry_run=true'])
    expect([query, await outcomes(query)]).toEqual([query, refused]);
  expect(await countEvents(api)).toBe(events);
  expect((await api.call('GET', NETWORK)).json).toMatchObject({ range: null });
  // Another spelling is refused where there is a dry-run, too.
  const { status, json } = await patch(api, `${NETWORK}?dryrun=true`, [replace('/whitelisted', true)]);
  expect([status, json.detailCode, json.causes[0].text]).toEqual([400, '400.1.3', 'dryrun: is spelled dryRun']);
  expect((await outcomes('dryRun=false')).filter((each) => each.includes('400'))).toEqual([]);
});
