import { SCOPES, type Scope } from '@access-admin/domain';
import { describe, expect, test } from 'vitest';
import { prepareBootstrapClient } from '../src/auth/client-secrets/bootstrap-client.ts';
import { openTestApi, type TestApi, WORLD } from './test-api.ts';

const ROOT = { bootstrapClientId: 'root', bootstrapClientSecret: 'root secret%' };

describe('OAuth clients', () => {
  test('show their secret once only', async () => {
    const { call } = await openTestApi();
    const created = await call('POST', '/oauth-clients/v1', { body: { name: 'ci', scopes: ['auth-users:read'] } });
    expect(created.status).toBe(201);
    const { secret, ...shown } = created.json;
    expect(secret).toHaveLength(43);
    expect(shown).toEqual({
      id: expect.any(String),
      name: 'ci',
      scopes: ['auth-users:read'],
      identityId: null,
      tenant: 'default',
      created: '2026-11-21T09:30:00.000Z',
      lastUsed: null,
    });
    expect((await call('GET', `/oauth-clients/v1/${shown.id}`)).json).toEqual(shown);
    const list = await call('GET', '/oauth-clients/v1?count=true');
    expect(list.json).toContainEqual(shown);
    expect(list.text).not.toMatch(/secret|scrypt/);
    expect((await call('DELETE', `/oauth-clients/v1/${shown.id}`)).text).toBe('');
    expect((await call('DELETE', `/oauth-clients/v1/${shown.id}`)).status).toBe(404);
  });

  test('a caller cannot create a client with a scope that it lacks, nor for another tenant without the scope for it', async () => {
    const { call, clientToken } = await openTestApi();
    const token = await clientToken({ scopes: ['oauth-clients:manage', 'auth-users:read'] });
    const create = (body: object) => call('POST', '/oauth-clients/v1', { token, body: { name: 'c', ...body } });
    expect((await create({ scopes: ['auth-users:read'] })).status).toBe(201);
    expect((await create({ scopes: ['auth-users:manage'] })).status).toBe(403);
    expect((await create({ scopes: ['auth-users:read'], tenant: 'other' })).status).toBe(403);
    expect((await create({ scopes: ['auth-users:read'], tenant: 'default' })).status).toBe(201);
  });

  test('a client cannot act as an unknown identity', async () => {
    const { call } = await openTestApi();
    const answer = await call('POST', '/oauth-clients/v1', {
      body: { name: 'c', scopes: ['auth-users:read'], identityId: 'nobody' },
    });
    expect(answer.json.detailCode).toBe('400.1.404');
  });
});

/** Another start of the process. */
const startAgain = ({ store, clock }: TestApi) =>
  prepareBootstrapClient({
    clients: store.clients,
    secrets: { hash: async () => 'scrypt:AA:AA', authenticate: async () => 'wrong secret' },
    config: { tenant: 'default', ...ROOT },
    log: { warn: () => {} },
    now: () => new Date(clock.nowMs),
    newId: () => 'unused',
    newSecret: () => 'unused',
    newTrackingId: () => '0'.repeat(32),
    keep: () => Promise.reject(new Error('the credentials are given')),
  });

describe('tokens of a client', () => {
  test('are refused by a later client with the same id, even one that is created in the same second', async () => {
    const api = await openTestApi();
    const { call, store, clock, rootToken } = api;
    clock.nowMs += 5;
    const token = await rootToken();
    expect((await call('GET', '/oauth-clients/v1', { token })).status).toBe(200);
    clock.nowMs += 5;
    await store.clients.delete(STORE_ACTION, 'root');
    expect((await call('GET', '/oauth-clients/v1', { token })).status).toBe(401);
    await startAgain(api);
    expect((await call('GET', '/oauth-clients/v1', { token })).status).toBe(401);
  });
});

const STORE_ACTION = {
  tenant: 'default',
  actor: { clientId: 'root', identityId: null },
  operation: 'test',
  time: '2026-11-21T09:30:00.000Z',
  trackingId: '0'.repeat(32),
};

/** A new client with a token of its own. */
async function register(
  api: TestApi,
  client: { readonly scopes: readonly Scope[]; readonly identityId?: string; readonly tenant?: string },
  token?: string,
) {
  const as = token === undefined ? {} : { token };
  const { json } = await api.call('POST', '/oauth-clients/v1', { ...as, body: { name: 'c', ...client } });
  const path = `/oauth-clients/v1/${json.id}`;
  return {
    id: json.id as string,
    secret: json.secret as string,
    path,
    token: await api.tokenFor(json.id, json.secret),
  };
}

const giving = (scope: string) => [{ op: 'add', path: '/scopes/-', value: scope }];
const eventsOf = async ({ call }: TestApi, id: string, token?: string) =>
  (
    await call(
      'GET',
      `/audit-events/v1?filters=${encodeURIComponent(`resourceId eq "${id}"`)}`,
      token === undefined ? {} : { token },
    )
  ).json;

describe('a patch of a client', () => {
  test('changes name and scopes, is recorded, and answers as a read does', async () => {
    const api = await openTestApi();
    const { call } = api;
    const { id, path } = await register(api, { scopes: ['auth-users:read'] });
    const before = await call('GET', path);
    const body = [{ op: 'replace', path: '/name', value: 'CI' }, ...giving('sod-policies:read')];
    const patched = await call('PATCH', path, { body, headers: { 'if-match': before.headers.get('etag') ?? '' } });
    expect(patched.status).toBe(200);
    expect(patched.json).toEqual({ ...before.json, name: 'CI', scopes: ['auth-users:read', 'sod-policies:read'] });
    const after = await call('GET', path);
    expect([after.text, after.headers.get('etag')]).toEqual([patched.text, patched.headers.get('etag')]);
    expect((await call('PATCH', path, { body: [] })).text).toBe(patched.text);
    const events = await eventsOf(api, id);
    expect(events).toHaveLength(2);
    expect(events[1]).toMatchObject({
      operation: 'patch-oauth-client-v1',
      changes: [
        { field: 'name', before: 'c', after: 'CI' },
        { field: 'scopes', before: ['auth-users:read'], after: ['auth-users:read', 'sod-policies:read'] },
      ],
    });
  });

  test.each([
    ['another property', [{ op: 'replace', path: '/tenant', value: 'other' }], 400, '400.1.1'],
    ['the identity', [{ op: 'add', path: '/identityId', value: 'i-ada' }], 400, '400.1.1'],
    ['the root', [{ op: 'replace', path: '', value: {} }], 400, '400.1.1'],
    ['from another property', [{ op: 'copy', from: '/id', path: '/name' }], 400, '400.1.1'],
    ['to an unknown scope', giving('everything'), 400, '400.1.3'],
    ['to a repeated scope', giving('auth-users:read'), 400, '400.1.3'],
    ['to a scope that is no text', [{ op: 'add', path: '/scopes/-', value: 7 }], 400, '400.1.3'],
    ['to no scope', [{ op: 'remove', path: '/scopes/0' }], 400, '400.1.0'],
    ['to no list of scopes', [{ op: 'remove', path: '/scopes' }], 400, '400.1.3'],
    ['to an empty name', [{ op: 'replace', path: '/name', value: '' }], 400, '400.1.0'],
    ['to a long name', [{ op: 'replace', path: '/name', value: 'x'.repeat(257) }], 400, '400.1.2'],
    ['to no name', [{ op: 'remove', path: '/name' }], 400, '400.1.3'],
    ['if a test fails', [{ op: 'test', path: '/name', value: 'x' }], 409, '409.1'],
  ])('is refused: %s', async (_, body, status, detailCode) => {
    const api = await openTestApi();
    const { path } = await register(api, { scopes: ['auth-users:read'] });
    const before = await api.call('GET', path);
    const answer = await api.call('PATCH', path, { body });
    expect([answer.status, answer.json.detailCode]).toEqual([status, detailCode]);
    expect((await api.call('GET', path)).text).toBe(before.text);
  });

  test('with an outdated If-Match is 412, as is such a deletion', async () => {
    const api = await openTestApi();
    const { path } = await register(api, { scopes: ['auth-users:read'] });
    const headers = { 'if-match': (await api.call('GET', path)).headers.get('etag') ?? '' };
    expect((await api.call('PATCH', path, { body: giving('ui-metadata:read'), headers })).status).toBe(200);
    expect((await api.call('PATCH', path, { body: giving('sod-policies:read'), headers })).status).toBe(412);
    expect((await api.call('DELETE', path, { headers })).status).toBe(412);
    expect((await api.call('GET', path)).json.scopes).toEqual(['auth-users:read', 'ui-metadata:read']);
  });

  test('gives at most the scopes of its caller, by whatever operation, to clients with no other', async () => {
    const api = await openTestApi();
    const caller = await register(api, { scopes: ['oauth-clients:manage', 'auth-users:read'] });
    const { path } = await register(api, { scopes: ['auth-users:read'] });
    const stronger = await register(api, { scopes: ['sod-policies:read', 'events:read'] });
    const patch = (...body: readonly object[]) => api.call('PATCH', path, { token: caller.token, body });
    const [give] = giving('auth-users:manage');
    const name = { op: 'replace', path: '/name', value: 'auth-users:manage' };
    for (const operations of [
      [give],
      [{ op: 'replace', path: '/scopes', value: ['auth-users:manage'] }],
      [{ op: 'replace', path: '/scopes/0', value: 'auth-users:manage' }],
      [name, { op: 'copy', from: '/name', path: '/scopes/-' }],
      [name, { op: 'copy', from: '/name', path: '/scopes/0' }],
    ])
      expect((await patch(...(operations as object[]))).status).toBe(403);
    expect((await patch(...giving('oauth-clients:manage'))).json.scopes).toEqual([
      'auth-users:read',
      'oauth-clients:manage',
    ]);
    expect((await patch({ op: 'remove', path: '/scopes/0' })).json.scopes).toEqual(['oauth-clients:manage']);
    expect((await patch(...giving('sod-policies:read'))).status).toBe(403);
    // Nothing of a client that has a scope that the caller lacks, not even its name.
    for (const operations of [[name], [{ op: 'remove', path: '/scopes/0' }], giving('auth-users:read')]) {
      const refused = await api.call('PATCH', stronger.path, { token: caller.token, body: operations });
      expect([refused.status, refused.json.causes[0].messages?.[0]?.text ?? refused.json.causes[0].text]).toEqual([
        403,
        expect.stringContaining('the client has sod-policies:read'),
      ]);
    }
    // Nor to itself, nor a scope that this token was not issued with.
    expect(
      (await api.call('PATCH', caller.path, { token: caller.token, body: giving('auth-users:manage') })).status,
    ).toBe(403);
    const form = { grant_type: 'client_credentials', client_id: caller.id, client_secret: caller.secret };
    const narrow = (await api.requestToken({ ...form, scope: 'oauth-clients:manage' })).json.access_token;
    const other = await register(api, { scopes: ['oauth-clients:manage'] });
    expect((await api.call('PATCH', other.path, { token: narrow, body: giving('auth-users:read') })).status).toBe(403);
  });

  test('takes a scope away from tokens too, and gives none to them', async () => {
    const api = await openTestApi();
    await api.importRecords(WORLD);
    const { path, token, id, secret } = await register(api, { scopes: ['auth-users:read', 'ui-metadata:read'] });
    const read = async (bearer: string) => (await api.call('GET', '/auth-users/v1/i-ada', { token: bearer })).status;
    expect(await read(token)).toBe(200);
    await api.call('PATCH', path, { body: [{ op: 'remove', path: '/scopes/0' }] });
    expect(await read(token)).toBe(403);
    await api.call('PATCH', path, { body: giving('sod-policies:read') });
    const policies = (bearer: string) => api.call('GET', '/sod-policies/v1', { token: bearer });
    expect((await policies(token)).status).toBe(403);
    expect((await policies(await api.tokenFor(id, secret))).status).toBe(200);
  });
});

describe('the bootstrap client', () => {
  /** The API on the database of an earlier version that knew one scope only. */
  async function openEarlier() {
    const api = await openTestApi();
    await api.store.clients.change(STORE_ACTION, 'root', {
      decide: ({ client }) => ({ ok: true, value: { ...client, scopes: ['oauth-clients:manage'] } }),
    });
    return api;
  }

  test('has every scope, and so can give clients those that a new version brings', async () => {
    const api = await openEarlier();
    expect((await api.call('GET', '/oauth-clients/v1/root')).json.scopes).toEqual(SCOPES);
    const token = await api.tokenFor('root', 'root secret%');
    const { path } = await register(api, { scopes: ['auth-users:read'] }, token);
    const all = [{ op: 'replace', path: '/scopes', value: SCOPES }];
    expect((await api.call('PATCH', path, { token, body: all })).json.scopes).toEqual(SCOPES);
  });

  test('cannot lose a scope, but can be renamed', async () => {
    const api = await openEarlier();
    await register(api, { scopes: SCOPES });
    const patch = (body: object) => api.call('PATCH', '/oauth-clients/v1/root', { body });
    const taken = await patch([{ op: 'remove', path: '/scopes/0' }]);
    expect([taken.status, taken.json.detailCode]).toEqual([409, '409.1']);
    expect(taken.json.causes[0].text).toContain('always has every scope');
    expect((await patch([{ op: 'replace', path: '/name', value: 'Root' }])).json).toMatchObject({
      name: 'Root',
      scopes: SCOPES,
    });
  });
});

describe('the last client that can administer clients', () => {
  test('cannot be deleted or lose the scope for it, neither by itself nor by another caller', async () => {
    const api = await openTestApi();
    await api.importRecords(WORLD);
    const tenant = await register(api, { scopes: SCOPES, tenant: 'globex' });
    await register(api, { scopes: ['auth-users:read'], tenant: 'globex' });
    const scopes = [{ op: 'replace', path: '/scopes', value: ['auth-users:read'] }];
    for (const [path, token] of [
      ['/oauth-clients/v1/root', await api.rootToken()],
      [tenant.path, tenant.token],
    ] as const) {
      for (const answer of [
        await api.call('DELETE', path, { token }),
        await api.call('PATCH', path, { token, body: scopes }),
      ])
        expect([answer.status, answer.json.detailCode]).toEqual([409, '409.1']);
      expect((await api.call('GET', path, { token })).status).toBe(200);
    }
    const next = await register(api, { scopes: SCOPES });
    expect((await api.call('DELETE', '/oauth-clients/v1/root', { token: next.token })).status).toBe(204);
    expect((await api.call('DELETE', next.path, { token: next.token })).status).toBe(409);
  });

  test('is one of two that lose the scope or are deleted at the same time', async () => {
    const api = await openTestApi();
    const make = () => register(api, { scopes: ['oauth-clients:manage', 'auth-users:read'], tenant: 'globex' });
    const left = await make();
    const right = await make();
    const scopes = [{ op: 'remove', path: '/scopes/0' }];
    const answers = await Promise.all([
      api.call('DELETE', left.path, { token: left.token }),
      api.call('PATCH', right.path, { token: right.token, body: scopes }),
    ]);
    expect(answers.map(({ status }) => status).filter((status) => status === 409)).toHaveLength(1);
  });
});

describe('the last application that holds a scope', () => {
  test('cannot be deleted or lose it, in any tenant, until another application holds it', async () => {
    const api = await openTestApi();
    const administrator = await register(api, { scopes: SCOPES, tenant: 'globex' });
    const deleteBy = (path: string, token: string) => api.call('DELETE', path, { token });
    for (const [path, token] of [
      ['/oauth-clients/v1/root', await api.rootToken()],
      [administrator.path, administrator.token],
    ] as const) {
      const make = async (scopes: readonly Scope[]) => (await register(api, { scopes }, token)).path;
      const others = await make(SCOPES.filter((scope) => scope !== 'events:read'));
      const refused = await deleteBy(path, token);
      expect([refused.status, refused.json.detailCode]).toEqual([409, '409.1']);
      expect(refused.json.causes[0].text).toContain('the last application of the tenant that holds events:read');
      // While the first one holds everything, any other one can be deleted.
      expect((await deleteBy(others, token)).status).toBe(204);
    }
    const patch = (path: string, scopes: readonly Scope[]) =>
      api.call('PATCH', path, {
        token: administrator.token,
        body: [{ op: 'replace', path: '/scopes', value: scopes }],
      });
    const without = SCOPES.filter((scope) => scope !== 'events:read');
    const lost = await patch(administrator.path, without);
    expect([lost.status, lost.json.detailCode]).toEqual([409, '409.1']);
    const reader = await register(api, { scopes: ['events:read'] }, administrator.token);
    expect((await patch(administrator.path, without)).status).toBe(200);
    expect((await deleteBy(reader.path, administrator.token)).json.detailCode).toBe('409.1');
  });

  test('is no client that acts as an identity, which does not count either', async () => {
    const api = await openTestApi();
    await api.importRecords(WORLD);
    const { path, token } = await register(api, { scopes: SCOPES, identityId: 'i-ada' });
    expect((await api.call('DELETE', '/oauth-clients/v1/root', { token })).status).toBe(409);
    expect((await api.call('DELETE', path, { token })).status).toBe(204);
  });

  test('is one of two that are deleted at the same time', async () => {
    const api = await openTestApi();
    const { token } = await register(api, { scopes: ['oauth-clients:manage'], tenant: 'globex' });
    const make = () => register(api, { scopes: ['webhooks:manage'], tenant: 'globex' });
    const left = await make();
    const right = await make();
    const answers = await Promise.all([left, right].map(({ path }) => api.call('DELETE', path, { token })));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
  });
});

describe('an operation on tenants', () => {
  test('is refused to identities, which cannot give the scope for it either', async () => {
    const api = await openTestApi();
    await api.importRecords(WORLD);
    const { token } = await register(api, { scopes: SCOPES, identityId: 'i-ada' });
    const create = (body: object) =>
      api.call('POST', '/oauth-clients/v1', { token, body: { name: 'c', scopes: ['auth-users:read'], ...body } });
    expect((await create({ tenant: 'globex' })).status).toBe(403);
    expect((await create({ scopes: ['tenants:manage'] })).status).toBe(403);
    const { path } = await register(api, { scopes: ['auth-users:read'] });
    expect((await api.call('PATCH', path, { token, body: giving('tenants:manage') })).status).toBe(403);
    expect((await create({})).status).toBe(201);
  });

  test('by an application is in the logs of both tenants, once each', async () => {
    const api = await openTestApi();
    const made = await register(api, { scopes: SCOPES, tenant: 'globex' });
    const [own] = await eventsOf(api, made.id);
    const theirs = await eventsOf(api, made.id, made.token);
    expect(theirs).toHaveLength(1);
    const { actor, changes, operation, trackingId } = own;
    expect(theirs[0]).toMatchObject({ tenant: 'globex', sequence: 1, actor, changes, operation, trackingId });
    expect(actor).toEqual({ clientId: 'root', identityId: null });
  });
});
