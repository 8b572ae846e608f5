import { describe, expect, test } from 'vitest';
import { openTestApi, WORLD } from './test-api.ts';

const EXPERIMENTAL = { 'x-service-experimental': 'true' };

async function openWorld() {
  const api = await openTestApi();
  await api.importRecords([...WORLD, { kind: 'identityProfile', id: 'ip-con', name: 'Contractors' }]);
  return api;
}

describe('auth profiles', () => {
  test('an auth profile is created with its identity profile and has its id and name', async () => {
    const { call } = await openWorld();
    const answer = await call('GET', '/auth-profiles/v1/ip-con', { headers: EXPERIMENTAL });
    expect(answer.json).toEqual({
      id: 'ip-con',
      name: 'Contractors',
      type: 'NON_PTA',
      offNetwork: false,
      untrustedGeography: false,
      applicationId: null,
      applicationName: null,
      strongAuthLogin: false,
    });
  });

  test('renaming the identity profile renames the auth profile and keeps its settings', async () => {
    const { call, importRecords } = await openWorld();
    await call('PATCH', '/auth-profiles/v1/ip-con', {
      headers: EXPERIMENTAL,
      body: [{ op: 'replace', path: '/type', value: 'MFA' }],
    });
    await importRecords([{ kind: 'identityProfile', id: 'ip-con', name: 'Externals' }]);
    const answer = await call('GET', '/auth-profiles/v1/ip-con', { headers: EXPERIMENTAL });
    expect(answer.json).toMatchObject({ name: 'Externals', type: 'MFA' });
  });

  test('are served without the experimental header where it is optional', async () => {
    const { call, importRecords } = await openTestApi({ experimentalHeader: 'optional' });
    await importRecords(WORLD);
    for (const headers of [{}, { 'x-service-experimental': 'false' }, EXPERIMENTAL])
      expect((await call('GET', '/auth-profiles/v1/ip-emp', { headers })).status).toBe(200);
    expect((await call('PUT', '/ui-metadata/v1/tenant', { body: { usernameLabel: 'Name' } })).status).toBe(200);
  });

  test('the list shows summaries by id, pages and counts', async () => {
    const { call } = await openWorld();
    const all = await call('GET', '/auth-profiles/v1?count=true', { headers: EXPERIMENTAL });
    expect(all.json).toEqual([
      { tenant: 'default', id: 'ip-con', name: 'Contractors', type: 'NON_PTA' },
      { tenant: 'default', id: 'ip-emp', name: 'Employees', type: 'NON_PTA' },
    ]);
    expect(all.headers.get('x-total-count')).toBe('2');
    expect(all.headers.has('link')).toBe(false);
    const first = await call('GET', '/auth-profiles/v1?limit=1', { headers: EXPERIMENTAL });
    expect(first.json).toHaveLength(1);
    expect(first.headers.get('link')).toBe('<http://127.0.0.1:8080/auth-profiles/v1?limit=1&offset=1>; rel="next"');
    expect(first.headers.has('x-total-count')).toBe(false);
    const last = await call('GET', '/auth-profiles/v1?limit=1&offset=1', { headers: EXPERIMENTAL });
    expect(last.json).toMatchObject([{ id: 'ip-emp' }]);
    expect(last.headers.has('link')).toBe(false);
  });

  test.each([
    'limit=0',
    'limit=251',
    'limit=x',
    'limit=',
    'limit=1.5',
    'offset=-1',
    'offset=1e3',
    'count=yes',
    'limit=1&limit=2',
  ])('refuses ?%s', async (query) => {
    const { call } = await openTestApi();
    const answer = await call('GET', `/auth-profiles/v1?${query}`, { headers: EXPERIMENTAL });
    expect([answer.status, answer.json.detailCode]).toEqual([400, '400.1.3']);
  });

  test('the five patchable fields can be patched, with If-Match', async () => {
    const { call } = await openWorld();
    const body = [
      { op: 'replace', path: '/type', value: 'PTA' },
      { op: 'replace', path: '/offNetwork', value: true },
      { op: 'replace', path: '/untrustedGeography', value: true },
      { op: 'add', path: '/applicationId', value: 'app-1' },
      { op: 'add', path: '/applicationName', value: 'Portal' },
    ];
    const patched = await call('PATCH', '/auth-profiles/v1/ip-con', { headers: EXPERIMENTAL, body });
    expect(patched.json).toMatchObject({
      type: 'PTA',
      offNetwork: true,
      untrustedGeography: true,
      applicationId: 'app-1',
      applicationName: 'Portal',
    });
    const stale = { ...EXPERIMENTAL, 'if-match': '"stale"' };
    expect((await call('PATCH', '/auth-profiles/v1/ip-con', { headers: stale, body: [] })).status).toBe(412);
    const afterRemoval = async (...following: readonly object[]) => {
      const steps = [{ op: 'remove', path: '/applicationId' }, ...following];
      const answer = await call('PATCH', '/auth-profiles/v1/ip-con', { headers: EXPERIMENTAL, body: steps });
      return answer.json.applicationId;
    };
    expect(await afterRemoval({ op: 'test', path: '/applicationId', value: null })).toBeNull();
    expect(await afterRemoval({ op: 'replace', path: '/applicationId', value: 'app-2' })).toBe('app-2');
    expect(await afterRemoval()).toBeNull();
  });

  test.each([
    ['the name', [{ op: 'replace', path: '/name', value: 'x' }], '400.1.1'],
    ['strongAuthLogin', [{ op: 'replace', path: '/strongAuthLogin', value: true }], '400.1.1'],
    ['a copy from the id', [{ op: 'copy', from: '/id', path: '/applicationId' }], '400.1.1'],
    ['an unknown type', [{ op: 'replace', path: '/type', value: 'pta' }], '400.1.3'],
    ['a switch that is no boolean', [{ op: 'replace', path: '/offNetwork', value: 'true' }], '400.1.3'],
    ['the removal of the type', [{ op: 'remove', path: '/type' }], '400.1.3'],
  ])('refuses to patch %s', async (_, body, detailCode) => {
    const { call } = await openWorld();
    const answer = await call('PATCH', '/auth-profiles/v1/ip-con', { headers: EXPERIMENTAL, body });
    expect([answer.status, answer.json.detailCode]).toEqual([400, detailCode]);
  });
});

describe('the experimental header', () => {
  test.each([
    ['GET', '/auth-profiles/v1'],
    ['GET', '/auth-profiles/v1/ip-emp'],
    ['PATCH', '/auth-profiles/v1/ip-emp'],
    ['GET', '/ui-metadata/v1/tenant'],
    ['PUT', '/ui-metadata/v1/tenant'],
  ])('%s %s needs it', async (method, path) => {
    const { call } = await openWorld();
    const body = { PATCH: [], PUT: {} }[method];
    for (const headers of [
      {},
      { 'x-service-experimental': 'TRUE' },
      { 'x-service-experimental': 'true, true' },
      { 'x-service-experimental': 'false' },
    ]) {
      const answer = await call(method, path, { headers, body });
      expect([answer.status, answer.json.detailCode]).toEqual([400, '400.1.0']);
    }
    expect((await call(method, path, { headers: { 'X-SERVICE-EXPERIMENTAL': 'true' }, body })).status).toBe(200);
    expect((await call(method, path, { headers: { 'X-SailPoint-Experimental': 'true' }, body })).status).toBe(200);
  });

  test('is checked after the rights and before the media type', async () => {
    const { call, clientToken } = await openWorld();
    const token = await clientToken({ scopes: ['auth-users:read'] });
    expect((await call('GET', '/auth-profiles/v1', { token })).status).toBe(403);
    const wrongType = await call('PATCH', '/auth-profiles/v1/ip-emp', {
      headers: { 'content-type': 'text/plain' },
      body: '[]',
    });
    expect(wrongType.json.detailCode).toBe('400.1.0');
  });
});
