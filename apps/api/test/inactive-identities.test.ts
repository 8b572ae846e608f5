import { describe, expect, test } from 'vitest';
import { inviteAdministrator } from '../src/sign-in/invite-administrator.ts';
import { openTestApi, type TestApi, WORLD } from './test-api.ts';
import { openSession } from './test-session.ts';

const SCIM = { 'content-type': 'application/scim+json' };
const replace = (path: string, value: unknown) => ({ op: 'replace', path, value });

/** A world with the source `hr`, whose users ada, bob and cleo are those of the identities. Ada alone can sign in. */
async function openWorld({ authoritative = true, config = {} } = {}) {
  const api = await openTestApi(config);
  await api.importRecords([
    ...WORLD,
    { kind: 'identityProfile', id: 'ip-off', name: 'Off', authProfile: { type: 'BLOCK' } },
    { kind: 'identity', id: 'i-off', uid: 'off', identityProfile: 'ip-off' },
    { kind: 'source', id: 'hr', name: 'HR', authoritative },
  ]);
  const token = await api.clientToken({ scopes: ['scim:manage'] });
  const scim = (method: string, path: string, body?: unknown) =>
    api.call(method, `/scim/v2/hr${path}`, { token, headers: SCIM, ...(body === undefined ? {} : { body }) });
  const ids = new Map<string, string>();
  for (const userName of ['ada', 'bob', 'cleo', 'off'])
    ids.set(userName, (await scim('POST', '/Users', { userName })).json.id);
  const pathOf = (userName: string) => `/Users/${ids.get(userName)}`;
  const setActive = (userName: string, active: unknown) =>
    scim('PATCH', pathOf(userName), { Operations: [replace('active', active)] });
  const isActive = async (id: string) => (await api.call('GET', `/identities/v1/${id}`)).json.active;
  const decide = async (identityId: string) =>
    (await api.call('POST', '/sign-in/v1/decision', { body: { identityId, ip: '127.0.0.1' } })).json;
  await enrol(api, 'i-ada');
  return { api, scim, pathOf, setActive, isActive, decide };
}

async function enrol({ store, clock }: TestApi, identityId: string): Promise<void> {
  const time = new Date(clock.nowMs).toISOString();
  const actor = { clientId: 'c', identityId: null };
  const context = { tenant: 'default', actor, operation: 'test', time, trackingId: '0'.repeat(32) };
  const password = { hash: 'phc', link: null, usedLink: null, keepSession: null };
  await store.credentials.setPassword(context, identityId, password);
}

/** Whether a session, and a client with its token, act as an identity. */
async function openActs(api: TestApi, identityId: string) {
  const session = await openSession(api, identityId);
  const body = { name: 'own', scopes: ['auth-users:read'], identityId };
  const { json: client } = await api.call('POST', '/oauth-clients/v1', { body });
  const token = await api.tokenFor(client.id, client.secret);
  const credentials = { client_id: client.id, client_secret: client.secret };
  return async () => {
    const headers = { cookie: session.cookie };
    return [
      (await api.call('GET', '/sessions/v1/current', { token: null, headers })).status,
      (await api.call('GET', `/auth-users/v1/${identityId}`, { token })).status,
      (await api.requestToken({ grant_type: 'client_credentials', ...credentials })).status,
    ];
  };
}

const ACTS = [200, 200, 200];
const ENDED = [401, 401, 401];

describe('a user of an authoritative source that is not active', () => {
  test('makes its identity inactive: nobody signs in, and what acts as it ends at once', async () => {
    const { api, setActive, isActive, decide } = await openWorld();
    const statuses = await openActs(api, 'i-cleo');
    expect([await isActive('i-cleo'), await statuses()]).toEqual([true, ACTS]);
    expect((await setActive('cleo', 'False')).json.active).toBe(false);
    expect([await isActive('i-cleo'), await statuses()]).toEqual([false, ENDED]);
    expect(await decide('i-cleo')).toMatchObject({ decision: 'BLOCK', reasons: ['INACTIVE'] });
    const ended = await api.call(
      'GET',
      `/audit-events/v1?filters=${encodeURIComponent('operation eq "scim-patch-user"')}`,
    );
    const types = ended.json.map(({ resource }: { resource: { type: string } }) => resource.type);
    expect(types.sort()).toEqual(['ACCOUNT', 'IDENTITY', 'OAUTH_CLIENT', 'SESSION']);
  });

  test('lets it be active again, without what has ended', async () => {
    const { api, setActive, isActive, decide } = await openWorld();
    const statuses = await openActs(api, 'i-cleo');
    await setActive('cleo', false);
    await setActive('cleo', 'True');
    expect([await isActive('i-cleo'), await statuses()]).toEqual([true, ENDED]);
    expect((await decide('i-cleo')).decision).toBe('ALLOW');
    expect(await (await openActs(api, 'i-cleo'))()).toEqual(ACTS);
  });

  test('is told after a blocked profile', async () => {
    const { setActive, decide } = await openWorld();
    await setActive('off', false);
    expect((await decide('i-off')).reasons).toEqual(['PROFILE_BLOCKED', 'INACTIVE']);
  });

  test('makes an inactive identity where it is new', async () => {
    const { scim, isActive } = await openWorld();
    await scim('POST', '/Users', { userName: 'dan', externalId: 'i-dan', active: false });
    expect(await isActive('i-dan')).toBe(false);
  });

  test('leaves what was done by hand, until a write changes whether it is active', async () => {
    const { api, scim, pathOf, setActive, isActive } = await openWorld();
    const setByHand = (active: boolean) =>
      api.call('PATCH', '/identities/v1/i-cleo', { body: [replace('/active', active)] });
    await setActive('cleo', false);
    await setByHand(true);
    const members = [{ value: pathOf('cleo').split('/').at(-1) }];
    expect((await scim('POST', '/Groups', { displayName: 'G', members })).status).toBe(201);
    await scim('PATCH', pathOf('cleo'), { Operations: [replace('title', 'T')] });
    await setActive('cleo', false);
    expect(await isActive('i-cleo')).toBe(true);
    await setActive('cleo', true);
    await setByHand(false);
    await scim('PUT', pathOf('cleo'), { userName: 'cleo', title: 'U', active: true });
    expect(await isActive('i-cleo')).toBe(false);
    await setActive('cleo', false);
    await setActive('cleo', true);
    expect(await isActive('i-cleo')).toBe(true);
  });

  test('makes the identity inactive that it joins later', async () => {
    const { scim, pathOf, isActive } = await openWorld();
    const { json } = await scim('POST', '/Users', { userName: 'cleo.old', externalId: 'i-old', active: false });
    expect(await isActive('i-old')).toBe(false);
    await scim('PATCH', pathOf('cleo'), { Operations: [replace('userName', 'cleo.new')] });
    await scim('PATCH', `/Users/${json.id}`, { Operations: [replace('userName', 'cleo')] });
    expect(await isActive('i-cleo')).toBe(false);
  });

  test('makes the identity inactive that the write of another user has it join, unless nobody could sign in then', async () => {
    const { api, scim, pathOf, isActive } = await openWorld();
    const correlation = [{ account: 'email', identity: 'email' }];
    await api.importRecords([{ kind: 'source', id: 'ad', name: 'AD', authoritative: true, correlation }]);
    const token = await api.clientToken({ scopes: ['scim:manage'] });
    const setEmail = (userName: string, value: string) =>
      scim('PATCH', pathOf(userName), { Operations: [replace('emails', [{ value }])] });
    /** Two identities share an address until one of them gets another one. */
    const joined = async (leaver: string) => {
      const shared = `${leaver}@example.com`;
      for (const userName of ['bob', leaver]) await setEmail(userName, shared);
      const user = { userName: shared, active: false, emails: [{ value: shared }] };
      await api.call('POST', '/scim/v2/ad/Users', { token, headers: SCIM, body: user });
      expect([await isActive('i-bob'), await isActive(`i-${leaver}`)]).toEqual([true, true]);
      const { status } = await setEmail('bob', 'b@example.com');
      return [status, await isActive('i-bob'), await isActive(`i-${leaver}`)];
    };
    expect(await joined('cleo')).toEqual([200, true, false]);
    expect(await joined('ada')).toEqual([409, true, true]);
  });
});

test('a user of another source, and its deletion, leave the identity active', async () => {
  const { scim, pathOf, setActive, isActive } = await openWorld({ authoritative: false });
  expect((await setActive('ada', false)).status).toBe(200);
  expect((await scim('DELETE', pathOf('ada'))).status).toBe(204);
  expect(await isActive('i-ada')).toBe(true);
});

describe('the last ORG_ADMIN that can sign in', () => {
  test('is neither deactivated nor deleted, wherever the directory asks from', async () => {
    const { api, scim, pathOf, setActive, isActive } = await openWorld();
    const network = { range: ['10.0.0.0/8'], geolocation: null, whitelisted: false };
    await api.call('POST', '/auth-org/v1/network-config', { body: network });
    const offNetwork = { type: 'NON_PTA', offNetwork: true };
    await api.importRecords([{ kind: 'identityProfile', id: 'ip-emp', name: 'E', authProfile: offNetwork }]);
    const refused = [
      await setActive('ada', false),
      await scim('PUT', pathOf('ada'), { userName: 'ada', active: false }),
      await scim('DELETE', pathOf('ada')),
    ];
    for (const { status, json } of refused) {
      expect([status, json.status]).toEqual([409, '409']);
      expect(json.detail).toContain('ORG_ADMIN');
    }
    expect([await isActive('i-ada'), (await scim('GET', pathOf('ada'))).json.active]).toEqual([true, true]);
    expect((await setActive('bob', false)).status).toBe(200);
    expect((await setActive('bob', true)).status).toBe(200);
    await enrol(api, 'i-bob');
    expect((await setActive('ada', false)).status).toBe(200);
    expect((await setActive('bob', false)).status).toBe(409);
    expect((await scim('DELETE', pathOf('bob'))).status).toBe(409);
    expect((await scim('DELETE', pathOf('ada'))).status).toBe(204);
  });

  test('is not deactivated by a new account either', async () => {
    const { scim, pathOf } = await openWorld();
    await scim('PATCH', pathOf('ada'), { Operations: [replace('userName', 'ada.l')] });
    expect((await scim('POST', '/Users', { userName: 'ADA', active: false })).status).toBe(409);
    expect((await scim('GET', '/Users?filter=userName%20eq%20%22ada%22')).json.totalResults).toBe(0);
  });

  test('is not deactivated by a record either', async () => {
    const { api, isActive } = await openWorld();
    const body = [replace('/active', false)];
    expect((await api.call('PATCH', '/identities/v1/i-ada', { body })).json.detailCode).toBe('409.1');
    const record = { kind: 'identity', id: 'i-ada', uid: 'ada', identityProfile: 'ip-emp', active: false };
    expect((await api.importRecords([record])).json.detailCode).toBe('409.1');
    expect(await isActive('i-ada')).toBe(true);
  });
});

test('the last ORG_ADMIN that is active keeps its capability', async () => {
  const { api, setActive } = await openWorld();
  await setActive('bob', false);
  const demote = () => api.call('PATCH', '/auth-users/v1/i-ada', { body: [replace('/capabilities', [])] });
  expect((await demote()).text).toContain('is the last ORG_ADMIN of the tenant');
  await setActive('bob', true);
  await enrol(api, 'i-bob');
  expect((await demote()).status).toBe(200);
});

test('records of identities have it: an upsert keeps it, an export tells it, a patch that removes it makes active', async () => {
  const { api, isActive } = await openWorld();
  const statuses = await openActs(api, 'i-cleo');
  const record = { kind: 'identity', id: 'i-cleo', uid: 'cleo', identityProfile: 'ip-emp' };
  expect((await api.importRecords([{ ...record, active: false }])).status).toBe(200);
  expect([await isActive('i-cleo'), await statuses()]).toEqual([false, ENDED]);
  await api.importRecords([{ ...record, email: 'c@example.com' }]);
  expect(await isActive('i-cleo')).toBe(false);
  const listed = (await api.call('GET', '/identities/v1?filters=id%20eq%20%22i-cleo%22')).json;
  expect(listed).toMatchObject([{ id: 'i-cleo', active: false }]);
  const exported = (await api.call('GET', '/access-model/v1/export')).text.trim().split('\n');
  expect(exported.map((line) => JSON.parse(line))).toContainEqual(
    expect.objectContaining({ id: 'i-cleo', active: false }),
  );
  await api.call('PATCH', '/identities/v1/i-cleo', { body: [{ op: 'remove', path: '/active' }] });
  expect(await isActive('i-cleo')).toBe(true);
  expect((await api.importRecords([{ ...record, active: 'no' }])).status).toBe(400);
});

test('a sign-in that was decided before its identity became inactive begins no session', async () => {
  const { api, setActive } = await openWorld();
  await setActive('cleo', false);
  const { cookie } = await openSession(api, 'i-cleo');
  await setActive('cleo', true);
  expect((await api.call('GET', '/sessions/v1/current', { token: null, headers: { cookie } })).status).toBe(401);
});

test('an operator invites nobody who is not active', async () => {
  const { api, setActive } = await openWorld();
  await setActive('cleo', false);
  const deps = {
    store: api.store,
    baseAddress: 'http://127.0.0.1',
    now: () => new Date(api.clock.nowMs),
    newId: () => 'i-new',
    newSecret: () => 'secret',
    newTrackingId: () => '0'.repeat(32),
  };
  const invited = await inviteAdministrator(deps, { tenant: 'default', uid: 'cleo' });
  expect(invited).toEqual({ ok: false, failure: expect.stringContaining('which is not active') });
  expect((await api.call('GET', '/auth-users/v1/i-cleo')).json.capabilities).not.toContain('ORG_ADMIN');
});
