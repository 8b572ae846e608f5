import { SCOPES, type Scope } from '@access-admin/domain';
import { describe, expect, test } from 'vitest';
import { openExceptions } from './sod-exceptions-world.ts';
import { openTestApi, type TestApi, WORLD } from './test-api.ts';

const HOUR_MS = 3_600_000;

interface Registered {
  readonly id: string;
  readonly path: string;
  readonly secret: string;
  readonly token: string;
}

async function register(
  api: TestApi,
  body: { readonly scopes: readonly Scope[]; readonly identityId?: string; readonly tenant?: string },
): Promise<Registered> {
  const { json } = await api.call('POST', '/oauth-clients/v1', { body: { name: 'c', ...body } });
  const { id, secret } = json;
  return { id, secret, path: `/oauth-clients/v1/${id}`, token: await api.tokenFor(id, secret) };
}

const rotate = (api: TestApi, { path }: Pick<Registered, 'path'>, body: object = {}, token?: string) =>
  api.call('POST', `${path}/rotate-secret`, { body, ...(token === undefined ? {} : { token }) });

/** A client that may read clients, and what its secrets and tokens are worth. */
async function open() {
  const api = await openTestApi();
  const client = await register(api, { scopes: ['oauth-clients:manage'] });
  const works = async (token: string) => (await api.call('GET', '/oauth-clients/v1', { token })).status;
  const asks = async (secret: string) => {
    const form = { grant_type: 'client_credentials', client_id: client.id, client_secret: secret };
    return (await api.requestToken(form)).status;
  };
  return { api, client, works, asks };
}

describe('a rotated secret', () => {
  test('is shown once, with the client, and works at once', async () => {
    const { api, client, asks } = await open();
    const before = await api.call('GET', client.path);
    const { status, json, headers } = await rotate(api, client);
    const { secret, ...shown } = json;
    expect([status, shown, headers.get('etag')]).toEqual([200, before.json, before.headers.get('etag')]);
    expect(secret).toHaveLength(43);
    expect(secret).not.toBe(client.secret);
    expect(await asks(secret)).toBe(200);
    expect((await api.call('GET', client.path)).text).toBe(before.text);
  });

  test.each([
    [undefined, 24],
    [1, 1],
    [168, 168],
  ])('leaves the old one and its tokens valid for the overlap: %s', async (overlapHours, hours) => {
    const { api, client, works, asks } = await open();
    const rotated = await rotate(api, client, overlapHours === undefined ? {} : { overlapHours });
    api.clock.nowMs += hours * HOUR_MS - 1;
    const late = await api.tokenFor(client.id, client.secret);
    const next = await api.tokenFor(client.id, rotated.json.secret);
    expect([await works(late), await works(next)]).toEqual([200, 200]);
    api.clock.nowMs += 1;
    expect([await asks(client.secret), await works(late), await works(next)]).toEqual([401, 401, 200]);
    expect(api.lines.some(({ fields }) => fields['reason'] === 'token of a secret that has ended')).toBe(true);
  });

  test('ends the old one and its tokens at once without an overlap, on a connection that has used them too', async () => {
    const { api, client, works, asks } = await open();
    expect([await works(client.token), await works(client.token)]).toEqual([200, 200]);
    const rotated = await rotate(api, client, { overlapHours: 0 });
    expect([await works(client.token), await asks(client.secret), await asks(rotated.json.secret)]).toEqual([
      401, 401, 200,
    ]);
  });

  test('drops the oldest of three, whatever its overlap was', async () => {
    const { api, client, works, asks } = await open();
    const second = (await rotate(api, client, { overlapHours: 168 })).json.secret;
    const ofSecond = await api.tokenFor(client.id, second);
    const third = (await rotate(api, client, { overlapHours: 1 })).json.secret;
    expect([await asks(client.secret), await asks(second), await asks(third)]).toEqual([401, 200, 200]);
    expect([await works(client.token), await works(ofSecond)]).toEqual([401, 200]);
    // A rotation without an overlap ends the one before, although it had one.
    const fourth = (await rotate(api, client, { overlapHours: 0 })).json.secret;
    expect([await asks(second), await asks(third), await asks(fourth)]).toEqual([401, 401, 200]);
    expect(await works(ofSecond)).toBe(401);
  });

  test.each([-1, 169, 0.5, '24', null])('has an overlap of whole hours from 0 to 168: not %j', async (overlapHours) => {
    const { api, client, asks } = await open();
    const refused = await rotate(api, client, { overlapHours });
    expect([refused.status, refused.json.detailCode]).toEqual([400, '400.1.3']);
    expect(await asks(client.secret)).toBe(200);
  });

  test('honours If-Match', async () => {
    const { api, client } = await open();
    const headers = { 'if-match': '"outdated"' };
    expect((await api.call('POST', `${client.path}/rotate-secret`, { body: {}, headers })).status).toBe(412);
  });

  test('is recorded without the secret, also for the identity that the client acts as, and told to nobody', async () => {
    const api = await openTestApi();
    await api.importRecords(WORLD);
    const client = await register(api, { scopes: ['auth-users:read'], identityId: 'i-ada' });
    await rotate(api, client, { overlapHours: 2 });
    await rotate(api, client, { overlapHours: 0 });
    const eventsOf = async (id: string) => {
      const filters = encodeURIComponent(`operation eq "rotate-oauth-client-secret-v1" and resourceId eq "${id}"`);
      return (await api.call('GET', `/audit-events/v1?filters=${filters}`)).json;
    };
    const events = await eventsOf(client.id);
    expect(events.map(({ changes }: { changes: unknown }) => changes)).toEqual([
      [
        { field: 'secretVersion', before: 1, after: 2 },
        { field: 'previousSecretEnds', before: null, after: '2026-11-21T11:30:00.000Z' },
      ],
      [{ field: 'secretVersion', before: 2, after: 3 }],
    ]);
    expect(await eventsOf('i-ada')).toEqual(events);
    const types = (await api.call('GET', '/events/v1')).json.map(({ type }: { type: string }) => type);
    expect(types.filter((type: string) => type.includes('oauth-client'))).toEqual([
      expect.stringContaining('oauth-client.created'),
    ]);
  });

  test('of several rotations at once, two at most are valid, and each answered one was', async () => {
    const { api, client, asks } = await open();
    const answers = await Promise.all(Array.from({ length: 6 }, () => rotate(api, client)));
    const secrets: string[] = answers.map(({ json }) => json.secret);
    const statuses = await Promise.all([client.secret, ...secrets].map(asks));
    expect(statuses.filter((status) => status === 200)).toHaveLength(2);
    expect(statuses[0]).toBe(401);
  });
});

describe('whoever rotates a secret knows it', () => {
  /** Ada requests an exception, and has the client of an identity that could approve it rotated. */
  async function openRequest() {
    const world = await openExceptions();
    const { api, ask } = world;
    await api.importRecords([{ ...WORLD[8], id: 'i-second', uid: 'second', capabilities: ['POLICY_ADMIN'] }]);
    const scopes = ['sod-exceptions:manage'] as const;
    const second = await register(api, { scopes, identityId: 'i-second' });
    const request = (await ask()).json;
    const approve = async (secret: string) => world.move(request.id, 'approve', await api.tokenFor(second.id, secret));
    return { ...world, second, approve };
  }

  test('and is tied to the identity of the client for 24 hours', async () => {
    const { api, ada, second, approve } = await openRequest();
    const rotated = await rotate(api, second, {}, ada);
    expect([rotated.status, (await approve(rotated.json.secret)).status]).toEqual([200, 403]);
    api.clock.nowMs += 24 * HOUR_MS - 1;
    expect((await approve(rotated.json.secret)).status).toBe(403);
    api.clock.nowMs += 1;
    expect((await approve(rotated.json.secret)).status).toBe(200);
  });

  test('also by an application whose secret it has rotated', async () => {
    const { api, ada, second, approve } = await openRequest();
    const helper = await register(api, { scopes: ['oauth-clients:manage', 'sod-exceptions:manage'] });
    const ofHelper = (await rotate(api, helper, {}, ada)).json.secret;
    const rotated = await rotate(api, second, {}, await api.tokenFor(helper.id, ofHelper));
    expect([rotated.status, (await approve(rotated.json.secret)).status]).toEqual([200, 403]);
  });

  test('and an application that nobody of the tenant has made or rotated ties nobody', async () => {
    const { api, second, approve } = await openRequest();
    const rotated = await rotate(api, second);
    expect((await approve(rotated.json.secret)).status).toBe(200);
  });
});

describe('a rotation is refused', () => {
  test('where the client has a scope that the caller lacks, in its token too', async () => {
    const api = await openTestApi();
    const target = await register(api, { scopes: ['auth-users:read', 'sod-policies:read'] });
    const caller = await register(api, { scopes: ['oauth-clients:manage', 'auth-users:read'] });
    const refused = await rotate(api, target, {}, caller.token);
    expect([refused.status, refused.json.causes[0].text]).toEqual([403, expect.stringContaining('sod-policies:read')]);
    const all = await register(api, { scopes: SCOPES });
    const form = { grant_type: 'client_credentials', client_id: all.id, client_secret: all.secret };
    const narrow = (await api.requestToken({ ...form, scope: 'oauth-clients:manage' })).json.access_token;
    expect((await rotate(api, all, {}, narrow)).status).toBe(403);
    expect((await rotate(api, target, {}, narrow)).status).toBe(403);
    expect((await rotate(api, target, {}, all.token)).status).toBe(200);
    // A client may rotate its own secret.
    expect((await rotate(api, caller, {}, caller.token)).status).toBe(200);
  });

  test('to an identity for the bootstrap client and any other one with a scope that it may not give', async () => {
    const api = await openTestApi();
    await api.importRecords(WORLD);
    const ada = await register(api, { scopes: SCOPES, identityId: 'i-ada' });
    const holder = await register(api, { scopes: ['tenants:manage'] });
    for (const path of ['/oauth-clients/v1/root', holder.path])
      expect((await rotate(api, { path }, {}, ada.token)).status).toBe(403);
  });

  test('to an identity without ORG_ADMIN, and without the scope', async () => {
    const api = await openTestApi();
    await api.importRecords(WORLD);
    const target = await register(api, { scopes: ['auth-users:read'] });
    const hal = await register(api, { scopes: ['oauth-clients:manage', 'auth-users:read'], identityId: 'i-hal' });
    const reader = await register(api, { scopes: ['auth-users:read'] });
    for (const { token } of [hal, reader]) expect((await rotate(api, target, {}, token)).status).toBe(403);
  });

  test('for a client of another tenant as for one that does not exist', async () => {
    const api = await openTestApi();
    const target = await register(api, { scopes: ['auth-users:read'], tenant: 'globex' });
    const answers = await Promise.all(
      [target.path, '/oauth-clients/v1/00000000-0000-4000-8000-000000000000'].map((path) => rotate(api, { path })),
    );
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    const [foreign, unknown] = answers.map(({ text }) => text.replace(/"trackingId":"\w+"/, ''));
    expect(foreign).toBe(unknown);
  });
});
