import { describe, expect, test } from 'vitest';
import { openBrowser } from './browser.ts';
import { EXCEPTIONS, openExceptions, refusalOf } from './sod-exceptions-world.ts';

const HOUR_MS = 3_600_000;
const NOW_MS = Date.parse('2026-11-21T09:30:00.000Z');
const inHours = (hours: number) => new Date(NOW_MS + hours * HOUR_MS).toISOString();

/** An identity that an administrator imports for itself. */
const PUPPET = { kind: 'identity', uid: 'eve', identityProfile: 'ip-emp', capabilities: ['POLICY_ADMIN'] };

async function openWithPuppets() {
  const world = await openExceptions();
  const { api } = world;
  const second = 'i-second';
  const third = 'i-third';
  expect(await api.importRecords([second, third].map((id) => ({ ...PUPPET, id, uid: id })))).toMatchObject({
    status: 200,
  });
  /** Makes a client as a caller and returns a token for it. */
  const makeClient = async (
    token: string,
    identityId: string | null,
    scopes: readonly string[] = ['sod-exceptions:manage'],
  ) => {
    const body = { name: 'made', scopes, ...(identityId === null ? {} : { identityId }) };
    const { status, json } = await api.call('POST', '/oauth-clients/v1', { token, body });
    expect([status, json]).toEqual([201, json]);
    return { id: json.id as string, token: await api.tokenFor(json.id, json.secret) };
  };
  /** A token for an identity, at any time of the test's clock, of a client without a maker: its use ties nobody. */
  const tokenLater = async (identityId: string) => {
    const token = await api.tokenFor('root', 'root secret%');
    const body = { name: 'later', scopes: ['sod-exceptions:manage'], identityId };
    const { json } = await api.call('POST', '/oauth-clients/v1', { token, body });
    return api.tokenFor(json.id, json.secret);
  };
  /** Makes a link for an identity as another, signs in by it after some time, and approves an exception. */
  const moveByLink = async (id: string, identityId: string, token: string, afterMs = 0) => {
    const link = await api.call('POST', `/auth-users/v1/${identityId}/sign-in-link`, { token, body: {} });
    expect([link.status, link.json]).toEqual([201, link.json]);
    api.clock.nowMs += afterMs;
    const browser = openBrowser(api);
    const password = 'a long enough sentence';
    expect((await browser.post(new URL(link.json.url).pathname, { password, repeated: password })).status).toBe(303);
    const [[name, value] = ['', '']] = browser.cookies;
    const headers = { cookie: `${name}=${value}`, origin: 'http://127.0.0.1:8080' };
    return api.call('POST', `${EXCEPTIONS}/${id}/approve`, { token: null, headers, body: {} });
  };
  return { ...world, makeClient, tokenLater, moveByLink };
}

describe('what an identity requests is approved by a second person', () => {
  test('not by an identity for which the requester has made a client, for 24 hours', async () => {
    const { api, ada, ask, move, makeClient } = await openWithPuppets();
    const second = await makeClient(ada, 'i-second');
    const { id } = (await ask()).json;
    const [status, code, text] = refusalOf(await move(id, 'approve', second.token));
    expect([status, code]).toEqual([403, '403']);
    expect(text).toContain(`approve after ${inHours(24)}`);
    // The deletion of the client unties nothing.
    await api.call('DELETE', `/oauth-clients/v1/${second.id}`);
    const body = { name: 'other', scopes: ['sod-exceptions:manage'], identityId: 'i-second' };
    const { json: other } = await api.call('POST', '/oauth-clients/v1', { body });
    const approve = async () => move(id, 'approve', await api.tokenFor(other.id, other.secret));
    expect((await approve()).status).toBe(403);
    api.clock.nowMs = NOW_MS + 24 * HOUR_MS - 1;
    expect((await approve()).status).toBe(403);
    api.clock.nowMs += 1;
    expect((await approve()).status).toBe(200);
  });

  test('not the maker approves what its second identity requests', async () => {
    const { ada, ask, move, makeClient, hal } = await openWithPuppets();
    const second = await makeClient(ada, 'i-second');
    const { id } = (await ask({}, second.token)).json;
    expect((await move(id, 'approve', ada)).status).toBe(403);
    expect((await move(id, 'approve', hal)).status).toBe(200);
  });

  test('not by the detour of an application', async () => {
    const { ada, ask, move, makeClient } = await openWithPuppets();
    const scopes = ['sod-exceptions:manage', 'oauth-clients:manage'];
    const application = await makeClient(ada, null, scopes);
    const second = await makeClient(application.token, 'i-second', scopes);
    const { id } = (await ask()).json;
    expect((await move(id, 'approve', second.token)).status).toBe(403);
  });

  test('clients that the bootstrap client makes tie no identities', async () => {
    const { api, ask, move } = await openWithPuppets();
    const second = await api.clientToken({ identityId: 'i-second' });
    expect((await move((await ask()).json.id, 'approve', second)).status).toBe(200);
  });

  test('not by a colleague as whom the requester has signed in by a link that it made', async () => {
    const { api, ask, move, moveByLink, hal, tokenLater } = await openWithPuppets();
    const { id } = (await ask({}, hal)).json;
    const approved = await moveByLink(id, 'i-second', hal, HOUR_MS);
    const [status, , text] = refusalOf(approved);
    expect(status).toBe(403);
    expect(text).toContain('a sign-in link');
    expect(text).toContain(`approve after ${inHours(25)}`);
    // By another way in it is the same identity, of which the requester may know the password.
    expect((await move(id, 'approve', await tokenLater('i-second'))).status).toBe(403);
    api.clock.nowMs = NOW_MS + 25 * HOUR_MS;
    expect((await move(id, 'approve', await tokenLater('i-second'))).status).toBe(200);
  });

  test('not by a colleague whose credentials the requester has removed', async () => {
    const { api, ask, move, hal } = await openWithPuppets();
    const { id } = (await ask({}, hal)).json;
    const colleague = await api.clientToken({ identityId: 'i-second' });
    expect((await api.call('DELETE', '/auth-users/v1/i-second/credentials', { token: hal })).status).toBe(204);
    expect((await move(id, 'approve', colleague)).status).toBe(403);
  });

  test.each(['by a link', 'by a client'])(
    'not by a puppet that an administrator imports, acts as %s, and deletes again',
    async (way) => {
      const { ask, get, makeClient, move, moveByLink, ada, api } = await openWithPuppets();
      const { id } = (await ask()).json;
      const puppet = { ...PUPPET, id: 'i-puppet', uid: 'puppet' };
      expect((await api.importRecords([puppet], ada)).status).toBe(200);
      const approve = async () =>
        way === 'by a link'
          ? moveByLink(id, 'i-puppet', ada)
          : move(id, 'approve', (await makeClient(ada, 'i-puppet')).token);
      const [status, , text] = refusalOf(await approve());
      expect([status, text]).toEqual([403, expect.stringContaining(`approve after ${inHours(24)}`)]);
      expect((await api.importRecords([{ kind: 'identity', id: 'i-puppet', delete: true }], ada)).status).toBe(200);
      expect((await get(id)).json.state).toBe('REQUESTED');
      // An identity that is deleted and imported again keeps its ties, also where another caller imports it.
      expect((await api.importRecords([puppet])).status).toBe(200);
      expect((await move(id, 'approve', await api.clientToken({ identityId: 'i-puppet' }))).status).toBe(403);
    },
  );

  test('not by an identity that the requester has raised to approve, until 24 hours have passed', async () => {
    const { api, ask, move, ada, tokenLater } = await openWithPuppets();
    await api.importRecords([{ ...PUPPET, id: 'i-cara', uid: 'cara', capabilities: [] }]);
    const token = await api.clientToken({ identityId: 'i-cara' });
    const { id } = (await ask()).json;
    const body = [{ op: 'add', path: '/capabilities/-', value: 'ORG_ADMIN' }];
    expect((await api.call('PATCH', '/auth-users/v1/i-cara', { token: ada, body })).status).toBe(200);
    const [status, , text] = refusalOf(await move(id, 'approve', token));
    expect([status, text]).toEqual([403, expect.stringContaining(`approve after ${inHours(24)}`)]);
    api.clock.nowMs = NOW_MS + 24 * HOUR_MS;
    expect((await move(id, 'approve', await tokenLater('i-cara'))).status).toBe(200);
  });

  test.each([
    ['uid', { uid: 'renamed' }],
    ['identity profile', { identityProfile: 'ip-other' }],
  ])('not by an identity whose %s the requester has changed', async (_, change) => {
    const { api, ask, move, ada } = await openWithPuppets();
    await api.importRecords([
      { kind: 'identityProfile', id: 'ip-other', name: 'Others' },
      { ...PUPPET, id: 'i-cara', uid: 'cara', capabilities: ['ORG_ADMIN'] },
    ]);
    const token = await api.clientToken({ identityId: 'i-cara' });
    const { id } = (await ask()).json;
    const changed = { ...PUPPET, id: 'i-cara', uid: 'cara', capabilities: ['ORG_ADMIN'], ...change };
    expect((await api.importRecords([changed], ada)).status).toBe(200);
    expect((await move(id, 'approve', token)).status).toBe(403);
  });

  test('nor of what is about an identity that the approver has created', async () => {
    const { api, ask, move, bob, hal } = await openWithPuppets();
    const access = ['e-vendor', 'e-pay'].map((each) => ({ type: 'ENTITLEMENT', id: each }));
    const created = { kind: 'identity', id: 'i-dan', uid: 'dan', identityProfile: 'ip-emp', access };
    expect((await api.importRecords([created], bob)).status).toBe(200);
    const { id } = (await ask({ identityId: 'i-dan' })).json;
    expect((await move(id, 'approve', bob)).status).toBe(403);
    expect((await move(id, 'approve', hal)).status).toBe(200);
  });

  test('nor of what is about an identity that the requester has created', async () => {
    const { api, ada, ask, move, hal, tokenLater } = await openWithPuppets();
    const access = ['e-vendor', 'e-pay'].map((each) => ({ type: 'ENTITLEMENT', id: each }));
    const created = { kind: 'identity', id: 'i-dan', uid: 'dan', identityProfile: 'ip-emp', access };
    expect((await api.importRecords([created], ada)).status).toBe(200);
    const { id } = (await ask({ identityId: 'i-dan' })).json;
    const [status, , text] = refusalOf(await move(id, 'approve', hal));
    expect([status, text]).toEqual([403, expect.stringContaining('as the requester and as the identity')]);
    api.clock.nowMs = NOW_MS + 24 * HOUR_MS;
    expect((await move(id, 'approve', await tokenLater('i-hal'))).status).toBe(200);
  });

  test.each([
    ['patches', 'type'],
    ['patches', 'applicationId'],
    ['imports', 'applicationName'],
    ['writes alone', 'type'],
  ])('not by those whose auth profile the requester %s with another %s', async (how, field) => {
    const { api, ada, ask, move, tokenLater } = await openWithPuppets();
    const value = field === 'type' ? 'MFA' : 'elsewhere';
    await api.importRecords([
      { kind: 'identityProfile', id: 'ip-other', name: 'Others' },
      { ...PUPPET, id: 'i-cara', uid: 'cara', identityProfile: 'ip-other', capabilities: ['ORG_ADMIN'] },
    ]);
    const token = await api.clientToken({ identityId: 'i-cara' });
    const { id } = (await ask()).json;
    const changed = { id: 'ip-other', name: 'Others', authProfile: { [field]: value } };
    const changes = {
      patches: () =>
        api.call('PATCH', '/auth-profiles/v1/ip-other', {
          token: ada,
          headers: { 'x-service-experimental': 'true' },
          body: [{ op: 'add', path: `/${field}`, value }],
        }),
      imports: () => api.importRecords([{ kind: 'identityProfile', ...changed }], ada),
      'writes alone': () => api.call('PUT', '/identity-profiles/v1/ip-other', { token: ada, body: changed }),
    };
    const answer = await changes[how as keyof typeof changes]();
    expect([answer.status, answer.json]).toEqual([200, answer.json]);
    const [status, , text] = refusalOf(await move(id, 'approve', token));
    expect([status, text]).toEqual([403, expect.stringContaining(`approve after ${inHours(24)}`)]);
    api.clock.nowMs = NOW_MS + 24 * HOUR_MS;
    expect((await move(id, 'approve', await tokenLater('i-cara'))).status).toBe(200);
  });

  test.each(['imports them', 'writes them alone'])(
    'not by those whose auth profile the requester has changed and somebody else, who %s, then gives another',
    async (how) => {
      const { api, ada, ask, move, tokenLater } = await openWithPuppets();
      const cara = { ...PUPPET, id: 'i-cara', uid: 'cara', identityProfile: 'ip-other', capabilities: ['ORG_ADMIN'] };
      const profile = { kind: 'identityProfile', id: 'ip-other', name: 'Others' };
      await api.importRecords([profile, cara]);
      const token = await api.clientToken({ identityId: 'i-cara' });
      const { id } = (await ask()).json;
      await api.importRecords([{ ...profile, authProfile: { applicationId: 'elsewhere' } }], ada);
      api.clock.nowMs += 60_000;
      const { kind: _, ...moved } = { ...cara, identityProfile: 'ip-emp' };
      const answer =
        how === 'imports them'
          ? await api.importRecords([{ kind: 'identity', ...moved }])
          : await api.call('PUT', '/identities/v1/i-cara', { body: moved });
      expect([answer.status, answer.json]).toEqual([200, answer.json]);
      const [status, , text] = refusalOf(await move(id, 'approve', token));
      expect([status, text]).toEqual([403, expect.stringContaining(`approve after ${inHours(24)}`)]);
      api.clock.nowMs = NOW_MS + 24 * HOUR_MS;
      expect((await move(id, 'approve', await tokenLater('i-cara'))).status).toBe(200);
    },
  );

  test('by another one whom a third identity has created too', async () => {
    const { ada, ask, move, makeClient } = await openWithPuppets();
    const second = await makeClient(ada, 'i-second');
    const third = await makeClient(ada, 'i-third');
    const { id } = (await ask({}, second.token)).json;
    expect((await move(id, 'approve', third.token)).status).toBe(200);
  });

  test('the event of the client is found by the identity that it acts as', async () => {
    const { api, ada, makeClient } = await openWithPuppets();
    const { id } = await makeClient(ada, 'i-second');
    const filters = encodeURIComponent('resourceId eq "i-second" and operation eq "create-oauth-client-v1"');
    expect((await api.call('GET', `/audit-events/v1?filters=${filters}`)).json).toMatchObject([
      { actor: { identityId: 'i-ada' }, resource: { type: 'OAUTH_CLIENT', id } },
    ]);
  });
});
