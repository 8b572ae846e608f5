import { describe, expect, test } from 'vitest';
import { shareTestApi } from '../share-test-api.ts';
import { openTestApi, type TestAnswer, type TestApi, type TestCall, WORLD } from '../test-api.ts';

const EXPERIMENTAL = { 'x-service-experimental': 'true' };
const REPLACE = [{ op: 'replace', path: '/capabilities', value: ['HELPDESK'] }];
const PROFILE_PATCH = [{ op: 'replace', path: '/type', value: 'MFA' }];

/** The tenant `default` with a world, a client and a check, and a token of the tenant `other`, which has few records. */
async function prepare(api: TestApi) {
  await api.importRecords(WORLD);
  const token = await api.clientToken({ tenant: 'other' });
  await api.importRecords(
    [
      { kind: 'identityProfile', id: 'ip-other', name: 'Others' },
      { kind: 'identity', id: 'i-other', uid: 'o', identityProfile: 'ip-other', capabilities: ['ORG_ADMIN'] },
    ],
    token,
  );
  const check = await api.call('POST', '/sod-violations/v1/check', { body: { identityId: 'i-cleo', accessRefs: [] } });
  const client = await api.call('POST', '/oauth-clients/v1', { body: { name: 'c', scopes: ['auth-users:read'] } });
  return { api, token, ours: { check: check.json.requestId as string, client: client.json.id as string } };
}

/** The response without its tracking id, its date and the requested id. */
function bytesOf({ status, headers, text }: TestAnswer, id: string) {
  const trackingId = headers.get('x-request-id') ?? 'none';
  const same = (value: string) => value.replaceAll(trackingId, '<tracking id>').replaceAll(id, '<id>');
  // They depend on the clock and on the length of the id.
  const isSame = (name: string) => name !== 'date' && name !== 'content-length';
  const lines = [...headers].filter(([name]) => isSame(name)).map(([name, value]) => `${name}: ${same(value)}`);
  return { status, headers: lines, text: same(text) };
}

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

async function everythingOf({ call }: TestApi) {
  const texts = [await call('GET', '/access-model/v1/export'), await call('GET', '/oauth-clients/v1')];
  return texts.map(({ text }) => text);
}

describe('abuse of tenants', () => {
  const tenants = shareTestApi(prepare);

  test.each<[string, string, (ours: { check: string; client: string }) => string, TestCall]>([
    ['GET', '/auth-users/v1/', () => 'i-ada', {}],
    ['PATCH', '/auth-users/v1/', () => 'i-ada', { body: REPLACE }],
    ['PATCH', '/auth-users/v1/', () => 'i-ada', { body: [] }],
    ['PATCH', '/auth-users/v1/', () => 'i-ada', { body: REPLACE, headers: { 'if-match': '"x"' } }],
    ['PATCH', '/auth-users/v1/', () => 'i-ada', { body: [{ op: 'remove', path: '/capabilities/9' }] }],
    ['GET', '/auth-profiles/v1/', () => 'ip-emp', { headers: EXPERIMENTAL }],
    ['PATCH', '/auth-profiles/v1/', () => 'ip-emp', { headers: EXPERIMENTAL, body: PROFILE_PATCH }],
    ['GET', '/sod-violations/v1/check/', ({ check }) => check, {}],
    ['GET', '/oauth-clients/v1/', ({ client }) => client, {}],
    ['DELETE', '/oauth-clients/v1/', ({ client }) => client, {}],
  ])('an id of another tenant (%s %s) gets the same bytes as an unknown one', async (method, path, idOf, options) => {
    const { api, token, ours } = tenants();
    const before = await everythingOf(api);
    const ask = async (id: string) => bytesOf(await api.call(method, path + id, { ...options, token }), id);
    const foreign = await ask(idOf(ours));
    expect(foreign.status).toBe(404);
    expect(foreign).toEqual(await ask(UNKNOWN));
    expect(await everythingOf(api)).toEqual(before);
  });

  test('a list never shows, counts or pages records of another tenant', async () => {
    const { api, token } = tenants();
    for (const query of ['', '&tenant=default', '&filters=tenant eq "default"', '&filters=id eq "ip-emp"']) {
      const path = `/auth-profiles/v1?count=true&limit=250${query.replaceAll(' ', '%20')}`;
      const answer = await api.call('GET', path, { token, headers: EXPERIMENTAL });
      const isTold = answer.status === 200;
      // A list ignores or refuses unknown query parameters, so that they cannot reach other tenants.
      if (isTold) expect(answer.json).toMatchObject([{ id: 'ip-other', tenant: 'other' }]);
      if (isTold) expect([answer.headers.get('x-total-count'), answer.headers.get('link')]).toEqual(['1', null]);
      expect(answer.text).not.toContain('ip-emp');
    }
    expect((await api.call('GET', '/oauth-clients/v1', { token })).text).not.toContain('"root"');
    expect((await api.call('GET', '/access-model/v1/export', { token })).text).not.toMatch(/i-ada|ip-emp|e-vendor/);
  });

  test.each([
    ['resourceId', 'i-cleo'],
    ['actor', 'i-ada'],
  ])(
    'a filter for a value of another tenant (%s) gets the same bytes as one for an unknown value',
    async (field, known) => {
      const { api, token } = tenants();
      const list = (id: string, bearer?: string) => {
        const filters = encodeURIComponent(`${field} eq "${id}"`);
        const options = bearer === undefined ? {} : { token: bearer };
        return api.call('GET', `/audit-events/v1?count=true&filters=${filters}`, options);
      };
      const ada = await api.clientToken({ identityId: 'i-ada' });
      const body = [{ op: 'replace', path: '/capabilities', value: ['ORG_ADMIN'] }];
      expect((await api.call('PATCH', '/auth-users/v1/i-cleo', { token: ada, body })).status).toBe(200);
      expect(Number((await list(known)).headers.get('x-total-count'))).toBeGreaterThan(0);
      const foreign = bytesOf(await list(known, token), known);
      expect([foreign.status, foreign.text]).toEqual([200, '[]']);
      expect(foreign).toEqual(bytesOf(await list('nobody', token), 'nobody'));
    },
  );

  test.each([
    [
      'predict for its identity',
      '/sod-violations/v1/predict',
      'i-cleo',
      (id: string) => ({ identityId: id, accessRefs: [] }),
    ],
    ['check its identity', '/sod-violations/v1/check', 'i-cleo', (id: string) => ({ identityId: id, accessRefs: [] })],
    [
      'predict with its access ref',
      '/sod-violations/v1/predict',
      'e-pay',
      (id: string) => ({ identityId: 'i-other', accessRefs: [{ type: 'ENTITLEMENT', id }] }),
    ],
    [
      'check with its access ref',
      '/sod-violations/v1/check',
      'r-buyer',
      (id: string) => ({ identityId: 'i-other', accessRefs: [{ type: 'ROLE', id }] }),
    ],
    [
      'a client that acts as its identity',
      '/oauth-clients/v1',
      'i-ada',
      (id: string) => ({ name: 'c', scopes: ['auth-users:read'], identityId: id }),
    ],
  ])('to %s gets the same bytes as an unknown one', async (_, path, known, bodyOf) => {
    const { api, token } = tenants();
    const ask = async (id: string) => bytesOf(await api.call('POST', path, { token, body: bodyOf(id) }), id);
    const foreign = await ask(known);
    expect([400, 404]).toContain(foreign.status);
    expect(foreign).toEqual(await ask('i-unknown'));
  });

  test.each([
    [
      'an entitlement in a role',
      'e-vendor',
      (id: string) => ({ kind: 'role', id: 'r', name: 'R', entitlements: [id] }),
    ],
    [
      'an access profile in a role',
      'ap-vendor',
      (id: string) => ({ kind: 'role', id: 'r', name: 'R', accessProfiles: [id] }),
    ],
    ['an identity profile', 'ip-emp', (id: string) => ({ kind: 'identity', id: 'i', uid: 'i', identityProfile: id })],
    [
      'a role that is held',
      'r-buyer',
      (id: string) => ({
        kind: 'identity',
        id: 'i',
        uid: 'i',
        identityProfile: 'ip-other',
        access: [{ type: 'ROLE', id }],
      }),
    ],
    ['the deletion of a role', 'r-buyer', (id: string) => ({ kind: 'role', id, delete: true })],
    ['the deletion of an entitlement in use', 'e-vendor', (id: string) => ({ kind: 'entitlement', id, delete: true })],
    ['the deletion of the last administrator', 'i-ada', (id: string) => ({ kind: 'identity', id, delete: true })],
  ])(
    'an import that names %s of another tenant gets the same bytes as with an unknown one',
    async (_, known, recordOf) => {
      const { api, token } = tenants();
      const before = await everythingOf(api);
      const ask = async (id: string) => bytesOf(await api.importRecords([recordOf(id)], token), id);
      expect(await ask(known)).toEqual(await ask('x-unknown'));
      expect(await everythingOf(api)).toEqual(before);
    },
  );

  test('two tenants can have records with the same id', async () => {
    const { api, token } = await prepare(await openTestApi());
    const before = await everythingOf(api);
    const mine = [
      { kind: 'entitlement', id: 'e-vendor', name: 'mine', source: null },
      { kind: 'identityProfile', id: 'ip-emp', name: 'mine' },
      { kind: 'identity', id: 'i-ada', uid: 'mine', identityProfile: 'ip-emp', capabilities: [] },
    ];
    expect((await api.importRecords(mine, token)).json.counts.identity).toMatchObject({ created: 1, updated: 0 });
    const patched = await api.call('PATCH', '/auth-users/v1/i-ada', { token, body: REPLACE });
    expect([patched.json.uid, patched.json.tenant]).toEqual(['mine', 'other']);
    expect(await everythingOf(api)).toEqual(before);
  });

  test.each([
    ['the header X-Tenant', { 'x-tenant': 'default' }],
    ['the header X-Tenant-Id', { 'x-tenant-id': 'default' }],
    ['the header Tenant', { tenant: 'default' }],
    ['the header X-Forwarded-Host', { 'x-forwarded-host': 'default.example.com' }],
    ['the header Forwarded', { forwarded: 'host=default.example.com' }],
    ['the header Host', { host: 'default.example.com' }],
    ['a cookie', { cookie: 'tenant=default' }],
  ] as [string, Record<string, string>][])('a tenant in %s is ignored', async (_, headers) => {
    const { api, token } = tenants();
    const plain = await api.call('GET', '/auth-users/v1/i-other', { token });
    expect(plain.json.tenant).toBe('other');
    expect((await api.call('GET', '/auth-users/v1/i-other', { token, headers })).text).toBe(plain.text);
    expect((await api.call('GET', '/auth-users/v1/i-ada', { token, headers })).status).toBe(404);
  });

  test('a tenant in the path or in the query is ignored', async () => {
    const { api, token } = tenants();
    const get = async (path: string) => (await api.call('GET', path, { token })).status;
    expect(await get('/auth-users/v1/i-ada?tenant=default')).toBe(404);
    expect(await get('/auth-users/v1/i-other?tenant=default')).toBe(200);
    for (const path of [
      '/default/auth-users/v1/i-ada',
      '/auth-users/v1/default/i-ada',
      '/auth-users/v1/default%2Fi-ada',
    ])
      expect([path, await get(path)]).toEqual([path, 404]);
  });

  test('a tenant in a body has no effect: an unknown property is refused, an unknown member of a patch is ignored', async () => {
    const { api, token } = await prepare(await openTestApi());
    const before = await everythingOf(api);
    for (const path of ['/sod-violations/v1/predict', '/sod-violations/v1/check']) {
      const body = { identityId: 'i-cleo', accessRefs: [], tenant: 'default' };
      expect((await api.call('POST', path, { token, body })).json.detailCode).toBe('400.1');
    }
    const put = { headers: EXPERIMENTAL, token, body: { usernameLabel: 'x', tenant: 'default' } };
    expect((await api.call('PUT', '/ui-metadata/v1/tenant', put)).json.detailCode).toBe('400.1');
    const record = { kind: 'identityProfile', id: 'ip-emp', name: 'x', tenant: 'default' };
    expect((await api.importRecords([record], token)).json.detailCode).toBe('400.1');
    const operation = { op: 'add', path: '/capabilities/-', value: 'HELPDESK', tenant: 'default' };
    const patched = await api.call('PATCH', '/auth-users/v1/i-other', { token, body: [operation] });
    expect(patched.json).toMatchObject({ tenant: 'other', capabilities: ['ORG_ADMIN', 'HELPDESK'] });
    const asked = await api.call('POST', '/oauth/token', {
      token: null,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=client_credentials&client_id=root&client_secret=root%20secret%25&tenant=other',
    });
    const users = await api.call('GET', '/auth-users/v1/i-ada', { token: asked.json.access_token });
    expect(users.json.tenant).toBe('default');
    expect(await everythingOf(api)).toEqual(before);
  });

  test('a client of another tenant can be created only with the scope for it', async () => {
    const { api, token } = await prepare(await openTestApi());
    const limited = await api.clientToken({ tenant: 'other', scopes: ['oauth-clients:manage', 'auth-users:read'] });
    const body = { name: 'c', scopes: ['auth-users:read'], tenant: 'default' };
    expect((await api.call('POST', '/oauth-clients/v1', { token: limited, body })).status).toBe(403);
    const made = await api.call('POST', '/oauth-clients/v1', { token, body });
    expect(made.status).toBe(201);
    expect((await api.call('GET', `/oauth-clients/v1/${made.json.id}`, { token })).status).toBe(404);
  });
});
