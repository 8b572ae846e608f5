import { describe, expect, test, vi } from 'vitest';
import { openBrowser } from './browser.ts';
import { openTestApi, WORLD } from './test-api.ts';
import { openSession } from './test-session.ts';

const MINUTE_MS = 60_000;
const BASE = 'http://127.0.0.1:8080';
const ADA = '/auth-users/v1/i-ada';
const EXPERIMENTAL = { 'x-service-experimental': 'true' };

async function openWorld(config: Parameters<typeof openTestApi>[0] = {}) {
  const api = await openTestApi(config);
  await api.importRecords(WORLD);
  const get = async (path: string, headers: Record<string, string>) =>
    (await api.call('GET', path, { token: null, headers: { ...EXPERIMENTAL, ...headers } })).status;
  return { api, get };
}

const change = { body: [{ op: 'replace', path: '/offNetwork', value: true }] };
const patchProfile = async (
  api: Awaited<ReturnType<typeof openTestApi>>,
  headers: Record<string, string>,
  token: string | null = null,
) =>
  (await api.call('PATCH', '/auth-profiles/v1/ip-emp', { token, headers: { ...EXPERIMENTAL, ...headers }, ...change }))
    .status;

describe('a session calls operations as its identity', () => {
  test('with its present capabilities', async () => {
    const { api, get } = await openWorld();
    const { cookie } = await openSession(api, 'i-ada');
    expect(await get('/auth-profiles/v1', { cookie })).toBe(200);
    const cleo = await openSession(api, 'i-cleo');
    expect(await get('/auth-profiles/v1', cleo)).toBe(403);
    expect(await get('/auth-users/v1/i-cleo', { cookie: cleo.cookie })).toBe(200);
    await api.importRecords([{ ...WORLD[6], capabilities: [] }]);
    expect(await get('/auth-profiles/v1', { cookie })).toBe(403);
  });

  test('but on no tenant', async () => {
    const { api, get } = await openWorld();
    const { cookie } = await openSession(api, 'i-ada');
    expect(await get('/tenants/v1', { cookie })).toBe(403);
  });

  test('among other cookies, and after a cookie of another service of the same name', async () => {
    const { api, get } = await openWorld();
    const { cookie } = await openSession(api, 'i-ada');
    expect(await get('/auth-profiles/v1', { cookie: `a=b; ${cookie}; c="d"` })).toBe(200);
  });

  test('a bearer token wins, also a bad one', async () => {
    const { api, get } = await openWorld();
    const { cookie } = await openSession(api, 'i-ada');
    const asCleo = await api.clientToken({ scopes: ['auth-profiles:read'], identityId: 'i-cleo' });
    expect(await get('/auth-profiles/v1', { cookie, authorization: `Bearer ${asCleo}` })).toBe(403);
    for (const authorization of ['Bearer x', 'Basic eDp5', ''])
      expect(await get('/auth-profiles/v1', { cookie, authorization })).toBe(401);
  });
});

describe('a session of an administrator', () => {
  const openAdministrator = async () => {
    const { api, get } = await openWorld();
    const { cookie } = await openSession(api, 'i-ada');
    const call = (method: string, path: string, body?: unknown) =>
      api.call(method, path, { token: null, headers: { cookie, origin: BASE }, ...(body !== undefined && { body }) });
    return { api, get, cookie, call };
  };

  test('creates, changes, rotates and deletes clients that act as itself or only read', async () => {
    const { call } = await openAdministrator();
    for (const given of [{ scopes: ['audit-events:read'] }, { scopes: ['sod-policies:manage'], identityId: 'i-ada' }]) {
      const created = await call('POST', '/oauth-clients/v1', { name: 'c', ...given });
      expect(created.status).toBe(201);
      const path = `/oauth-clients/v1/${created.json.id}`;
      const named = await call('PATCH', path, [{ op: 'replace', path: '/name', value: 'd' }]);
      expect(named.json).toMatchObject({ name: 'd', ...given });
      const rotated = await call('POST', `${path}/rotate-secret`, {});
      expect(rotated.json.secret).toHaveLength(43);
      expect((await call('DELETE', path)).status).toBe(204);
    }
  });

  test('administers no other clients', async () => {
    const { api, call } = await openAdministrator();
    const strong = { name: 'c', scopes: ['sod-policies:manage'] };
    expect((await call('POST', '/oauth-clients/v1', strong)).status).toBe(403);
    const { json } = await api.call('POST', '/oauth-clients/v1', { body: strong });
    const path = `/oauth-clients/v1/${json.id}`;
    expect((await call('PATCH', path, [{ op: 'replace', path: '/name', value: 'd' }])).status).toBe(403);
    expect((await call('POST', `${path}/rotate-secret`, {})).status).toBe(403);
    const refused = await call('DELETE', path);
    expect(refused.status).toBe(403);
    expect(refused.json.causes[0].text).toContain('sod-policies:manage');
    expect((await call('GET', path)).json).toMatchObject({ name: 'c' });
    const read = await call('POST', '/oauth-clients/v1', { name: 'r', scopes: ['auth-users:read'] });
    const scopes = [{ op: 'add', path: '/scopes/-', value: 'auth-users:manage' }];
    expect((await call('PATCH', `/oauth-clients/v1/${read.json.id}`, scopes)).status).toBe(403);
    expect((await call('POST', '/oauth-clients/v1', { name: 't', scopes: ['tenants:manage'] })).status).toBe(403);
  });

  test('changes clients only after a fresh proof, and reads them without', async () => {
    const { api, get, cookie, call } = await openAdministrator();
    api.clock.nowMs += 5 * MINUTE_MS;
    for (const [method, path, body] of [
      ['POST', '/oauth-clients/v1', { name: 'c', scopes: ['auth-users:read'] }],
      ['PATCH', '/oauth-clients/v1/nobody', []],
      ['POST', '/oauth-clients/v1/nobody/rotate-secret', {}],
      ['DELETE', '/oauth-clients/v1/nobody', undefined],
    ] as const) {
      const refused = await call(method, path, body);
      expect(refused.status).toBe(403);
      expect(refused.json.causes[0].text).toContain('/account/confirm');
    }
    expect(await get('/oauth-clients/v1', { cookie })).toBe(200);
  });
});

describe('is no session:', () => {
  test.each([
    ['no cookie of it', () => 'other=1'],
    ['an empty cookie', () => 'session='],
    ['another token', (token: string) => `session=${token.slice(0, -1)}${token.endsWith('A') ? 'E' : 'A'}`],
    ['its hash', (token: string) => `session=${Buffer.from(token).toString('hex')}`],
    ['a very long cookie', () => `session=${'x'.repeat(8_000)}`],
    ['the cookie of an address with https', (token: string) => `__Host-session=${token}`],
  ])('%s', async (_title, cookieOf) => {
    const { api, get } = await openWorld();
    const { token } = await openSession(api, 'i-ada');
    expect(await get(ADA, { cookie: cookieOf(token) })).toBe(401);
    expect(await get(ADA, { cookie: `session=${token}` })).toBe(200);
  });

  test('the token of another tenant', async () => {
    const { api, get } = await openWorld();
    const token = await api.clientToken({ tenant: 'other' });
    await api.importRecords(WORLD, token);
    const { cookie } = await openSession(api, 'i-ada', { tenant: 'other' });
    expect(await get(ADA, { cookie })).toBe(401);
  });
});

describe('a request that changes something', () => {
  test('needs the origin of the service', async () => {
    const { api } = await openWorld();
    const { cookie } = await openSession(api, 'i-ada');
    const refused = [
      {},
      { origin: 'null' },
      { origin: 'http://127.0.0.1:8081' },
      { origin: 'http://evil.example' },
      { origin: `${BASE}.evil.example` },
      { referer: `${BASE}/login` },
      { origin: BASE, 'sec-fetch-site': 'cross-site' },
    ];
    for (const headers of refused) expect(await patchProfile(api, { cookie, ...headers })).toBe(403);
    expect(await patchProfile(api, { cookie, origin: BASE })).toBe(200);
    expect(await patchProfile(api, { cookie, origin: BASE, 'sec-fetch-site': 'same-origin' })).toBe(200);
  });

  test('of a program needs none', async () => {
    const { api } = await openWorld();
    const { cookie } = await openSession(api, 'i-ada');
    expect(await patchProfile(api, { cookie, origin: 'http://evil.example' }, await api.rootToken())).toBe(200);
  });

  test('from another origin is in the audit log', async () => {
    const { api } = await openWorld();
    const { id, cookie } = await openSession(api, 'i-ada');
    await patchProfile(api, { cookie, origin: 'http://evil.example' });
    const { json } = await api.call('GET', '/audit-events/v1?filters=outcome%20eq%20%22DENIED%22');
    expect(json.at(-1)).toMatchObject({
      actor: { clientId: `session:${id}`, identityId: 'i-ada' },
      operation: 'patch-profile-config-v1',
    });
  });
});

describe('a session ends', () => {
  test('after its idle time, which each activity begins again', async () => {
    const { api, get } = await openWorld();
    const { cookie } = await openSession(api, 'i-ada');
    for (let round = 0; round < 4; round++) {
      api.clock.nowMs += 14 * MINUTE_MS;
      expect(await get(ADA, { cookie })).toBe(200);
    }
    api.clock.nowMs += 15 * MINUTE_MS;
    expect(await get(ADA, { cookie })).toBe(401);
  });

  test('also while it polls', async () => {
    const { api, get } = await openWorld();
    const { cookie } = await openSession(api, 'i-ada');
    for (const prefer of ['wait=0', 'respond-async, wait=0']) {
      api.clock.nowMs += 7 * MINUTE_MS;
      expect(await get('/events/v1', { cookie, prefer })).toBe(200);
    }
    api.clock.nowMs += MINUTE_MS;
    expect(await get(ADA, { cookie })).toBe(401);
  });

  test('after its maximum, whatever its activity', async () => {
    const { api, get } = await openWorld();
    const { cookie } = await openSession(api, 'i-ada');
    for (let minutes = 0; minutes < 480; minutes += 10) {
      expect(await get(ADA, { cookie })).toBe(200);
      api.clock.nowMs += 10 * MINUTE_MS;
    }
    expect(await get(ADA, { cookie })).toBe(401);
  });

  test('with its activity written at most once a minute', async () => {
    const { api, get } = await openWorld();
    const { cookie } = await openSession(api, 'i-ada');
    const touch = vi.spyOn(api.store.sessions, 'touch');
    for (let second = 0; second < 120; second += 5) {
      api.clock.nowMs += 5_000;
      await get(ADA, { cookie });
    }
    expect(touch).toHaveBeenCalledTimes(2);
  });

  test('not while it is active, also with the shortest idle time', async () => {
    const { api, get } = await openWorld();
    await api.call('PATCH', '/auth-org/v1/session-config', {
      body: [{ op: 'replace', path: '/maxIdleTime', value: 1 }],
    });
    const { cookie } = await openSession(api, 'i-ada');
    for (const seconds of [0, 10, 10, 10, 10, 10, 10, 55, 55]) {
      api.clock.nowMs += seconds * 1_000;
      expect(await get(ADA, { cookie })).toBe(200);
    }
    api.clock.nowMs += MINUTE_MS;
    expect(await get(ADA, { cookie })).toBe(401);
  });

  test('earlier when the settings become shorter', async () => {
    const { api, get } = await openWorld();
    const { cookie } = await openSession(api, 'i-ada');
    const changed = await api.call('PATCH', '/auth-org/v1/session-config', {
      body: [{ op: 'replace', path: '/maxIdleTime', value: 5 }],
    });
    expect(changed.status).toBe(200);
    api.clock.nowMs += 5 * MINUTE_MS;
    expect(await get(ADA, { cookie })).toBe(401);
  });

  test('when its identity is deleted, or its auth profile blocks, and does not come back', async () => {
    const { api, get } = await openWorld();
    const ada = await openSession(api, 'i-ada');
    const hal = await openSession(api, 'i-hal');
    await api.importRecords([{ kind: 'identity', id: 'i-hal', delete: true }]);
    expect(await get('/auth-users/v1/i-hal', { cookie: hal.cookie })).toBe(401);
    await api.importRecords([WORLD[8]]);
    expect(await get('/auth-users/v1/i-hal', { cookie: hal.cookie })).toBe(401);
    for (const type of ['BLOCK', 'NON_PTA']) {
      const set = [{ op: 'replace', path: '/type', value: type }];
      await api.call('PATCH', '/auth-profiles/v1/ip-emp', { headers: EXPERIMENTAL, body: set });
      expect(await get(ADA, { cookie: ada.cookie })).toBe(401);
    }
  });

  test('and with it a stream of events, within a second', async () => {
    const { api } = await openWorld();
    const { id, cookie } = await openSession(api, 'i-ada');
    const headers = { ...EXPERIMENTAL, cookie, accept: 'text/event-stream' };
    const response = await api.send('/events/v1', { headers });
    expect(response.status).toBe(200);
    const read = response.text();
    const context = { tenant: 'default', actor: { clientId: 'c', identityId: null }, operation: 'test' };
    await api.store.sessions.end({ ...context, time: '2026-11-21T09:30:00.000Z', trackingId: '0' }, id);
    // Never resolves while the stream goes on.
    expect(await read.catch(() => 'reset')).toEqual(expect.any(String));
  });
});

describe('a script of a page in a frame', () => {
  const at = (api: Awaited<ReturnType<typeof openTestApi>>, headers: Record<string, string>) =>
    api.call('GET', ADA, { token: null, headers: { ...EXPERIMENTAL, ...headers } });

  test('calls with the cookie of the frame', async () => {
    const { api } = await openWorld({ baseAddress: 'https://access.example' });
    const { token } = await openSession(api, 'i-ada', { isFramed: true });
    const cookie = `__Host-session-framed=${token}`;
    expect((await at(api, { cookie, 'sec-fetch-dest': 'empty' })).status).toBe(200);
    expect((await at(api, { cookie, 'sec-fetch-dest': 'iframe' })).status).toBe(200);
    expect((await at(api, { cookie, 'sec-fetch-dest': 'document' })).status).toBe(401);
    expect((await at(api, { cookie: `__Host-session=${token}`, 'sec-fetch-dest': 'iframe' })).status).toBe(401);
  });

  test('calls with a session of the kind of its cookie alone', async () => {
    const { api } = await openWorld({ baseAddress: 'https://access.example' });
    const cookieOf = async (isFramed: boolean, name: string) => {
      const { token } = await openSession(api, 'i-ada', { isFramed });
      return `${name}=${token}`;
    };
    const statusOf = async (cookie: string, dest: string) => (await at(api, { cookie, 'sec-fetch-dest': dest })).status;
    const topLevelInFrame = await cookieOf(false, '__Host-session-framed');
    const framedOutside = await cookieOf(true, '__Host-session');
    for (const dest of ['iframe', 'empty', 'document']) {
      expect([dest, await statusOf(topLevelInFrame, dest)]).toEqual([dest, 401]);
      expect([dest, await statusOf(framedOutside, dest)]).toEqual([dest, 401]);
    }
    // Nor does a sign-out of the one end the other.
    const [, token = ''] = topLevelInFrame.split('=');
    const headers = { 'sec-fetch-dest': 'iframe', cookie: topLevelInFrame };
    const signedOut = await openBrowser(api, { origin: 'https://access.example', headers }).post('/sign-out');
    expect(signedOut.status).toBe(303);
    expect(await statusOf(`__Host-session=${token}`, 'document')).toBe(200);
  });
});
