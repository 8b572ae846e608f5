import type { Scope } from '@access-admin/domain';
import { describe, expect, test } from 'vitest';
import { openTestApi, type TestCall, WORLD } from '../test-api.ts';
import { openSession } from '../test-session.ts';

const BASE = 'http://127.0.0.1:8080';

async function open() {
  const api = await openTestApi();
  await api.importRecords(WORLD);
  const { cookie } = await openSession(api, 'i-ada');
  const session: TestCall = { token: null, headers: { cookie, origin: BASE } };
  const create = (
    by: TestCall,
    client: { readonly scopes: readonly Scope[]; readonly identityId?: string; readonly tenant?: string },
  ) => api.call('POST', '/oauth-clients/v1', { ...by, body: { name: 'c', ...client } });
  /** A new client as a caller, with its path. */
  const callerOf = async (by: TestCall, client: Parameters<typeof create>[1]) => {
    const { status, json } = await create(by, client);
    expect(status).toBe(201);
    const token = await api.tokenFor(json.id, json.secret);
    return { ...json, token, path: `/oauth-clients/v1/${json.id}` };
  };
  const read = async ({ token }: { readonly token: string }) =>
    (await api.call('GET', '/auth-users/v1/i-ada', { token })).status;
  return { ...api, session, create, callerOf, read };
}

const OWN = { identityId: 'i-ada' };
const ADMINISTERS = ['oauth-clients:manage', 'sod-policies:manage', 'auth-users:read', 'auth-users:manage'] as const;

describe('a client that a session has made', () => {
  test('gives what the session may give and no more, and so do those that it makes', async () => {
    const { create, callerOf, call, session } = await open();
    const strong = await create({}, { scopes: ['sod-policies:manage'] });
    const path = `/oauth-clients/v1/${strong.json.id}`;
    let by: { readonly token: string } | TestCall = session;
    for (const depth of [1, 2, 3]) {
      const client: { readonly token: string } = await callerOf(by, { ...OWN, scopes: ADMINISTERS });
      by = { token: client.token };
      for (const refused of [
        await create(by, { scopes: ['sod-policies:manage'] }),
        await create(by, { scopes: ['sod-policies:manage'], identityId: 'i-bob' }),
        await create(by, { scopes: ['oauth-clients:manage'], identityId: 'i-hal' }),
        await call('PATCH', path, { ...by, body: [{ op: 'replace', path: '/name', value: 'd' }] }),
        await call('POST', `${path}/rotate-secret`, { ...by, body: {} }),
        await call('DELETE', path, by),
      ])
        expect([depth, refused.status]).toEqual([depth, 403]);
      expect((await create(by, { scopes: ['auth-users:read'] })).status).toBe(201);
    }
    expect((await call('GET', path)).json).toMatchObject({ name: 'c' });
  });

  test('makes no way in for its own identity, as the session does not', async () => {
    const { callerOf, call, session } = await open();
    const { token } = await callerOf(session, { ...OWN, scopes: ADMINISTERS });
    const made = await call('POST', '/auth-users/v1/i-ada/sign-in-link', { token, body: {} });
    const removed = await call('DELETE', '/auth-users/v1/i-ada/credentials', { token });
    expect([made.status, removed.status]).toEqual([403, 403]);
    expect((await call('POST', '/auth-users/v1/i-cleo/sign-in-link', { token, body: {} })).status).toBe(201);
  });

  test.each([
    ['rotated', (path: string): [string, string, object] => ['POST', `${path}/rotate-secret`, { overlapHours: 0 }]],
    [
      'given the scope for it',
      (path: string): [string, string, object] => [
        'PATCH',
        path,
        [{ op: 'add', path: '/scopes/-', value: 'oauth-clients:manage' }],
      ],
    ],
  ] as const)('has its limits also where another caller made it and the session has it %s', async (how, change) => {
    const { create, callerOf, call, tokenFor, session } = await open();
    const scopes = ['sod-policies:manage', ...(how === 'rotated' ? (['oauth-clients:manage'] as const) : [])] as const;
    const client = await callerOf({}, { ...OWN, scopes });
    if (how === 'rotated')
      expect((await create({ token: client.token }, { scopes: ['sod-policies:manage'] })).status).toBe(201);
    const [method, path, body] = change(client.path);
    const changed = await call(method, path, { ...session, body });
    expect(changed.status).toBe(200);
    const token = await tokenFor(client.id, changed.json.secret ?? client.secret);
    expect((await create({ token }, { scopes: ['sod-policies:manage'] })).status).toBe(403);
    expect((await create({ token }, { ...OWN, scopes: ['sod-policies:manage'] })).status).toBe(201);
  });

  test('one that no session has made or changed gives what it has', async () => {
    const { create, callerOf, call, session } = await open();
    const { token, path } = await callerOf({}, { ...OWN, scopes: ADMINISTERS });
    const renamed = [{ op: 'replace', path: '/name', value: 'another' }];
    expect((await call('PATCH', path, { ...session, body: renamed })).status).toBe(200);
    expect((await create({ token }, { scopes: ['sod-policies:manage'] })).status).toBe(201);
  });
});

describe('a client that acts as an identity', () => {
  const promote = (id: string, ...capabilities: string[]) => ({
    kind: 'identity',
    id,
    uid: id.slice(2),
    identityProfile: 'ip-emp',
    capabilities,
  });

  test('is refused while its identity has a capability that its maker lacked', async () => {
    const { callerOf, call, read, importRecords, requestToken, clientToken } = await open();
    const ada = await callerOf({}, { ...OWN, scopes: ADMINISTERS });
    const made = await callerOf({ token: ada.token }, { scopes: ['auth-users:read'], identityId: 'i-hal' });
    const byApplication = { token: await clientToken({ identityId: 'i-hal', scopes: ['auth-users:read'] }) };
    expect([await read(made), await read(byApplication)]).toEqual([200, 200]);
    // ORG_ADMIN counts as every capability but INTERNAL.
    await importRecords([promote('i-hal', 'HELPDESK', 'REPORT_ADMIN')]);
    expect(await read(made)).toBe(200);
    await importRecords([promote('i-hal', 'HELPDESK', 'INTERNAL')]);
    expect([await read(made), await read(byApplication)]).toEqual([401, 200]);
    const form = { grant_type: 'client_credentials', client_id: made.id, client_secret: made.secret };
    expect((await requestToken(form)).json).toMatchObject({ error: 'invalid_client' });
    expect((await call('GET', made.path)).status).toBe(200);
    await importRecords([promote('i-hal', 'HELPDESK')]);
    expect(await read(made)).toBe(200);
  });

  test('keeps what its maker had, whatever the maker has become since', async () => {
    const { callerOf, read, importRecords, call } = await open();
    const bob = await callerOf({}, { identityId: 'i-bob', scopes: ADMINISTERS });
    const made = await callerOf({ token: bob.token }, { scopes: ['auth-users:read'], identityId: 'i-hal' });
    await importRecords([promote('i-bob', 'INTERNAL', 'ORG_ADMIN'), promote('i-hal', 'INTERNAL')]);
    expect(await read(made)).toBe(401);
    await importRecords([promote('i-bob'), promote('i-hal', 'HELPDESK')]);
    expect(await read(made)).toBe(200);
    expect((await call('DELETE', '/identities/v1/i-bob')).status).toBe(204);
    expect(await read(made)).toBe(200);
  });

  test('is refused where it was made by its own identity, which has gained more than it had', async () => {
    const { callerOf, read, importRecords } = await open();
    const ada = await callerOf({}, { ...OWN, scopes: ADMINISTERS });
    const own = await callerOf({ token: ada.token }, { ...OWN, scopes: ['auth-users:read'] });
    await importRecords([promote('i-ada', 'ORG_ADMIN', 'INTERNAL')]);
    expect([await read(own), await read(ada)]).toEqual([401, 200]);
  });

  test('has what the maker of each of its secrets had', async () => {
    const { callerOf, call, tokenFor, read, importRecords } = await open();
    const ada = await callerOf({}, { ...OWN, scopes: ADMINISTERS });
    const made = await callerOf({ token: ada.token }, { scopes: ['auth-users:read'], identityId: 'i-hal' });
    await importRecords([promote('i-hal', 'HELPDESK', 'INTERNAL')]);
    const byRoot = await call('POST', `${made.path}/rotate-secret`, { body: { overlapHours: 1 } });
    const token = await tokenFor(made.id, byRoot.json.secret);
    expect([await read({ token }), await read(made)]).toEqual([200, 401]);
    await importRecords([promote('i-hal', 'HELPDESK')]);
    const byAda = await call('POST', `${made.path}/rotate-secret`, { token: ada.token, body: { overlapHours: 1 } });
    expect(byAda.status).toBe(200);
    const later = await tokenFor(made.id, byAda.json.secret);
    await importRecords([promote('i-hal', 'HELPDESK', 'INTERNAL')]);
    expect([await read({ token: later }), await read({ token })]).toEqual([401, 200]);
  });
});
