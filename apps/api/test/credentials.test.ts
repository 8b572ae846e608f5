import { createSecretCipher } from '@access-admin/store';
import { describe, expect, test } from 'vitest';
import { CIPHER_KEY, openTestApi, type TestApi, WORLD } from './test-api.ts';
import { openSession } from './test-session.ts';

const HOUR_MS = 3_600_000;
const linkOf = (id: string) => `/auth-users/v1/${id}/sign-in-link`;
const credentialsOf = (id: string) => `/auth-users/v1/${id}/credentials`;
const CONTEXT = { tenant: 'default', actor: { clientId: 'c', identityId: null }, operation: 'test', trackingId: '0' };
const context = { ...CONTEXT, time: '2026-11-21T09:30:00.000Z' };

async function openWorld(config: Parameters<typeof openTestApi>[0] = {}) {
  const api = await openTestApi(config);
  await api.importRecords([
    ...WORLD,
    { kind: 'identity', id: 'i-hal', uid: 'hal', identityProfile: 'ip-emp', capabilities: ['HELPDESK'] },
    { kind: 'identity', id: 'i-pam', uid: 'pam', identityProfile: 'ip-emp', capabilities: ['INTERNAL'] },
  ]);
  return api;
}

const setPassword = ({ store }: TestApi, identityId: string) =>
  store.credentials.setPassword(context, identityId, { hash: 'phc', link: null, usedLink: null, keepSession: null });

describe('a sign-in link', () => {
  test('is made for a day, or for as many hours as asked for, and its token is in this answer alone', async () => {
    const api = await openWorld();
    const made = await api.call('POST', linkOf('i-cleo'), { body: {} });
    expect(made.status).toBe(201);
    expect(made.json.url).toMatch(/^http:\/\/127\.0\.0\.1:8080\/sign-in-link\/[\w-]{43}$/);
    expect(made.json.expires).toBe('2026-11-22T09:30:00.000Z');
    expect(made.headers.get('cache-control')).toBe('no-store');
    const short = await api.call('POST', linkOf('i-cleo'), { body: { hours: 1 } });
    expect(short.json.expires).toBe('2026-11-21T10:30:00.000Z');
    expect(short.json.url).not.toBe(made.json.url);
    const token = made.json.url.split('/').at(-1);
    const log = await api.call('GET', '/audit-events/v1');
    expect(log.text).toContain('signInLinkExpires');
    expect(log.text + JSON.stringify(api.lines)).not.toContain(token);
    api.clock.nowMs += HOUR_MS;
  });

  test('is stored encrypted for a mail where there is a server of mails, and for none otherwise', async () => {
    const claimed = async ({ store, clock }: TestApi) =>
      store.mails.claim({ nowMs: clock.nowMs, leaseMs: 1_000, limit: 9 });
    const without = await openWorld();
    await without.call('POST', linkOf('i-cleo'), { body: {} });
    expect(await claimed(without)).toEqual([]);
    const api = await openWorld({ mail: { smtpUrl: 'smtp://mail.example.com', from: 'access@example.com' } });
    const { json } = await api.call('POST', linkOf('i-cleo'), { body: {} });
    const [mail, ...others] = await claimed(api);
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ kind: 'sign-in-link', recipientId: 'i-cleo', secret: expect.stringMatching(/^v1\./) });
    expect(JSON.stringify(mail)).not.toContain(json.url.split('/').at(-1));
    const owner = { purpose: 'mail', tenant: 'default', id: 'i-cleo' } as const;
    const opened = createSecretCipher({ current: CIPHER_KEY, previous: null }).open(owner, mail?.secret ?? '');
    expect(Buffer.from(opened ?? []).toString()).toBe(json.url);
  });

  test.each([{ hours: 0 }, { hours: 25 }, { hours: 1.5 }, { hours: '1' }, { hours: null }, { minutes: 5 }, []])(
    'is refused with %j',
    async (body) => {
      const api = await openWorld();
      expect((await api.call('POST', linkOf('i-cleo'), { body })).status).toBe(400);
    },
  );
});

describe('who may make links and remove credentials', () => {
  test.each<[string, string, number]>([
    ['i-hal', 'i-cleo', 200],
    ['i-hal', 'i-hal', 200],
    ['i-hal', 'i-ada', 403],
    ['i-ada', 'i-cleo', 200],
    ['i-bob', 'i-ada', 200],
    ['i-ada', 'i-bob', 200],
    ['i-ada', 'i-hal', 200],
    ['i-ada', 'i-pam', 403],
    ['i-cleo', 'i-cleo', 403],
    ['i-ada', 'i-none', 404],
  ])('%s for %s: %s', async (by, target, status) => {
    const api = await openWorld();
    const token = await api.clientToken({ identityId: by });
    const link = await api.call('POST', linkOf(target), { token, body: {} });
    const removal = await api.call('DELETE', credentialsOf(target), { token });
    expect([link.status, removal.status]).toEqual(status === 200 ? [201, 204] : [status, status]);
  });

  test('a session has others changed alone: the account page changes its own ways in after a new proof', async () => {
    const api = await openWorld();
    const { cookie } = await openSession(api, 'i-ada');
    const asAda = { token: null, headers: { cookie, origin: 'http://127.0.0.1:8080' } };
    const statusesOf = async (target: string) => [
      (await api.call('POST', linkOf(target), { ...asAda, body: {} })).status,
      (await api.call('DELETE', credentialsOf(target), asAda)).status,
    ];
    expect([await statusesOf('i-cleo'), await statusesOf('i-ada')]).toEqual([
      [201, 204],
      [403, 403],
    ]);
  });

  test('a refusal is in the audit log', async () => {
    const api = await openWorld();
    const token = await api.clientToken({ identityId: 'i-hal' });
    await api.call('DELETE', credentialsOf('i-ada'), { token });
    const { json } = await api.call('GET', '/audit-events/v1?filters=outcome%20eq%20%22DENIED%22');
    expect(json).toMatchObject([{ operation: 'remove-credentials-v1', resource: { type: 'AUTH_USER', id: 'i-ada' } }]);
  });
});

describe('the removal of credentials', () => {
  test('ends the sessions of the auth user', async () => {
    const api = await openWorld();
    const { cookie } = await openSession(api, 'i-cleo');
    const current = () => api.call('GET', '/sessions/v1/current', { token: null, headers: { cookie } });
    expect((await current()).status).toBe(200);
    expect((await api.call('DELETE', credentialsOf('i-cleo'))).status).toBe(204);
    expect((await current()).status).toBe(401);
  });

  test('is refused for the last administrator that can sign in', async () => {
    const api = await openWorld();
    await setPassword(api, 'i-ada');
    const refused = await api.call('DELETE', credentialsOf('i-ada'));
    expect([refused.status, refused.json.detailCode]).toEqual([409, '409.1']);
    await setPassword(api, 'i-bob');
    const racing = ['i-ada', 'i-bob'].map((id) => api.call('DELETE', credentialsOf(id)));
    expect((await Promise.all(racing)).map(({ status }) => status).sort()).toEqual([204, 409]);
  });
});

describe('what an auth user signs in with', () => {
  const passkey = { id: 'pk-1', name: 'Laptop', created: context.time, lastUsed: null };

  async function openEnrolled() {
    const api = await openWorld();
    const { credentials } = api.store;
    await setPassword(api, 'i-cleo');
    await credentials.setTotp(context, 'i-cleo', { secret: 'v1.k.sealed', lastStep: 1, link: null, usedLink: null });
    await credentials.setRecoveryCodes(context, 'i-cleo', { hashes: ['hash-1', 'hash-2'], link: null, usedLink: null });
    const stored = { ...passkey, publicKey: 'cose', counter: 0, transports: [] };
    await credentials.addPasskey(context, 'i-cleo', { passkey: stored, link: null, usedLink: null });
    return api;
  }

  const lock = ({ store, clock }: TestApi, failures: number) =>
    Promise.all(
      Array.from({ length: failures }, () =>
        store.signInFailures.record(context, {
          identityId: 'i-cleo',
          address: '192.0.2.1',
          nowMs: clock.nowMs,
          windowMs: HOUR_MS,
          durationMs: HOUR_MS,
          userAttempts: 3,
          addressAttempts: 100,
        }),
      ),
    );

  test('is shown without any secret', async () => {
    const api = await openEnrolled();
    await lock(api, 2);
    const { status, json, text } = await api.call('GET', credentialsOf('i-cleo'));
    expect([status, json]).toEqual([
      200,
      {
        password: { changed: context.time },
        totp: true,
        passkeys: [passkey],
        recoveryCodesLeft: 2,
        failedAttempts: 2,
        lockedUntil: null,
      },
    ]);
    for (const secret of ['phc', 'sealed', 'hash-1', 'cose']) expect(text).not.toContain(secret);
    await lock(api, 1);
    const locked = { failedAttempts: 0, lockedUntil: '2026-11-21T10:30:00.000Z' };
    expect((await api.call('GET', credentialsOf('i-cleo'))).json).toMatchObject(locked);
    expect((await api.call('GET', credentialsOf('i-none'))).status).toBe(404);
  });

  test('is removed one by one, which ends the sessions', async () => {
    const api = await openEnrolled();
    const { cookie } = await openSession(api, 'i-cleo');
    for (const id of ['pk-1', 'totp', 'recovery-codes', 'password', 'unknown'])
      expect([id, (await api.call('DELETE', `${credentialsOf('i-cleo')}/${id}`)).status]).toEqual([id, 204]);
    expect((await api.call('GET', credentialsOf('i-cleo'))).json).toMatchObject({
      password: null,
      totp: false,
      passkeys: [],
      recoveryCodesLeft: 0,
    });
    expect((await api.call('GET', '/sessions/v1/current', { token: null, headers: { cookie } })).status).toBe(401);
    const { json } = await api.call('GET', '/audit-events/v1?filters=operation%20eq%20%22remove-credential-v1%22');
    const fields = json.map(
      ({ changes }: { readonly changes: readonly { readonly field: string }[] }) => changes[0]?.field,
    );
    expect(fields).toEqual(['identityId', 'passkey', 'totpEnrolled', 'recoveryCodes', 'passwordSet']);
  });

  test('stays for the last administrator that can sign in', async () => {
    const api = await openWorld();
    await setPassword(api, 'i-ada');
    const refused = await api.call('DELETE', `${credentialsOf('i-ada')}/password`);
    expect([refused.status, refused.json.detailCode]).toEqual([409, '409.1']);
  });

  test.each<[string, string, number]>([
    ['i-hal', 'i-cleo', 204],
    ['i-hal', 'i-hal', 403],
    ['i-hal', 'i-ada', 403],
    ['i-ada', 'i-ada', 403],
    ['i-ada', 'i-hal', 204],
    ['i-ada', 'i-pam', 403],
    ['i-ada', 'i-none', 404],
  ])('is changed by %s for %s: %s', async (by, target, status) => {
    const api = await openWorld();
    const token = await api.clientToken({ identityId: by });
    const removal = await api.call('DELETE', `${credentialsOf(target)}/totp`, { token });
    const unlocked = await api.call('DELETE', `/auth-users/v1/${target}/lock`, { token });
    expect([removal.status, unlocked.status]).toEqual([status, status]);
  });

  test('counts again after a lock is ended', async () => {
    const api = await openEnrolled();
    await lock(api, 3);
    expect((await api.call('DELETE', '/auth-users/v1/i-cleo/lock')).status).toBe(204);
    const open = { failedAttempts: 0, lockedUntil: null };
    expect((await api.call('GET', credentialsOf('i-cleo'))).json).toMatchObject(open);
    const { json } = await api.call('GET', '/auth-users/v1/i-cleo');
    expect(json.lastUnlockTimestamp).toBe('2026-11-21T09:30:00.000Z');
  });
});

describe('sessions', () => {
  const idsOf = ({ json }: { readonly json: readonly { readonly id: string }[] }) => json.map(({ id }) => id).sort();
  const list = (api: TestApi, options: Parameters<TestApi['call']>[2] = {}, filters = '') =>
    api.call(
      'GET',
      `/sessions/v1?count=true${filters === '' ? '' : `&filters=${encodeURIComponent(filters)}`}`,
      options,
    );

  test('an identity sees and ends its own without scope, an administrator all', async () => {
    const api = await openWorld();
    const ada = await openSession(api, 'i-ada');
    const cleo = await openSession(api, 'i-cleo');
    const asCleo = { token: null, headers: { cookie: cleo.cookie, origin: 'http://127.0.0.1:8080' } };
    const asAda = { token: null, headers: { cookie: ada.cookie, origin: 'http://127.0.0.1:8080' } };
    const token = await api.clientToken({ scopes: ['auth-users:read'], identityId: 'i-cleo' });
    expect(idsOf(await list(api, asCleo))).toEqual([cleo.id]);
    expect(idsOf(await list(api, { token }))).toEqual([cleo.id]);
    expect(idsOf(await list(api, asAda))).toEqual([ada.id, cleo.id].sort());
    expect(idsOf(await list(api))).toEqual([ada.id, cleo.id].sort());
    expect(idsOf(await list(api, {}, 'identityId eq "i-cleo"'))).toEqual([cleo.id]);
    expect(idsOf(await list(api, asCleo, 'identityId eq "i-ada"'))).toEqual([]);
    expect((await list(api, asCleo)).headers.get('x-total-count')).toBe('1');
    expect((await api.call('DELETE', `/sessions/v1/${ada.id}`, asCleo)).status).toBe(403);
    expect((await api.call('DELETE', `/sessions/v1/${cleo.id}`, asCleo)).status).toBe(204);
    expect((await list(api, asCleo)).status).toBe(401);
    expect((await api.call('DELETE', `/sessions/v1/${cleo.id}`)).status).toBe(404);
  });

  test('an application needs a scope', async () => {
    const api = await openWorld();
    const { id } = await openSession(api, 'i-ada');
    const token = await api.clientToken({ scopes: ['sessions:read'] });
    expect((await list(api, { token })).status).toBe(200);
    expect((await api.call('DELETE', `/sessions/v1/${id}`, { token })).status).toBe(403);
    const other = await api.clientToken({ scopes: ['auth-users:manage'] });
    expect((await list(api, { token: other })).status).toBe(403);
  });

  test('that have ended are not listed', async () => {
    const api = await openWorld();
    await openSession(api, 'i-ada');
    api.clock.nowMs += HOUR_MS / 4;
    const token = await api.tokenFor('root', 'root secret%');
    expect((await list(api, { token })).json).toEqual([]);
  });

  test('the present one tells pages whose it is', async () => {
    const api = await openWorld();
    const { cookie } = await openSession(api, 'i-ada');
    const { json, headers } = await api.call('GET', '/sessions/v1/current', { token: null, headers: { cookie } });
    expect(json).toEqual({
      identityId: 'i-ada',
      displayName: 'ada',
      capabilities: ['ORG_ADMIN'],
      factors: ['PASSWORD'],
      authTime: '2026-11-21T09:30:00.000Z',
      expires: '2026-11-21T17:30:00.000Z',
      idleExpires: '2026-11-21T09:45:00.000Z',
    });
    expect(headers.get('cache-control')).toBe('no-store');
    expect((await api.call('GET', '/sessions/v1/current', { headers: { cookie } })).status).toBe(401);
    expect((await api.call('GET', '/sessions/v1/current', { token: null })).status).toBe(401);
  });
});
