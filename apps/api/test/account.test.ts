import { describe, expect, test, vi } from 'vitest';
import { alertOf, headingOf, ORIGIN } from './browser.ts';
import { openPeople, PASSWORD, secretOf } from './sign-in-people.ts';
import { createSoftAuthenticator } from './soft-authenticator.ts';

const MINUTE_MS = 60_000;
const NAMED = { config: { baseAddress: 'http://localhost:8080' } };
const AT = { origin: 'http://localhost:8080' };
const CEREMONY = { ...AT, rpId: 'localhost' };

/** An API with Ada, who has a password, and her browser. */
async function openSignedIn(options: Parameters<typeof openPeople>[0] = {}) {
  const people = await openPeople(options);
  const at = options.config?.baseAddress === undefined ? {} : { origin: options.config.baseAddress };
  const browser = people.browse(at);
  await browser.post(await people.linkFor('i-ada'), { password: PASSWORD, repeated: PASSWORD });
  return { ...people, browser };
}

describe('one account', () => {
  test('is changed within five minutes of a proof alone', async () => {
    const { browser, clock, logIn, browse } = await openSignedIn();
    const password = 'quite another sentence';
    const change = () => browser.post('/account/password', { password, repeated: password });
    clock.nowMs += 5 * MINUTE_MS;
    expect((await browser.get('/account')).text).not.toContain('action="/account/password"');
    for (const path of ['/account/passkeys/x/remove', '/account/authenticator', '/account/recovery-codes'])
      expect([path, (await browser.post(path)).location]).toEqual([path, '/account/confirm']);
    expect((await change()).location).toBe('/account/confirm');
    const wrong = await browser.post('/account/confirm', { password: 'wrong password' });
    expect([wrong.status, alertOf(wrong)]).toEqual([401, expect.stringMatching(/did not work/)]);
    expect((await browser.post('/account/confirm', { password: PASSWORD })).location).toBe('/account');
    expect((await change()).location).toBe('/account?done=password');
    expect((await browser.get('/account?done=password')).text).toContain('Your password is set.');
    expect((await logIn(browse(), 'ada')).status).toBe(401);
    expect((await logIn(browse(), 'ada', { password })).status).toBe(303);
  });

  test.each([
    ['short', 'short', /at least 12/],
    ['password1234', 'password1234', /too common/],
    ['the name is Ada here', 'the name is Ada here', /username/],
    ['x'.repeat(129), 'x'.repeat(129), /at most 128/],
    ['a long enough sentence', 'another one that differs', /not the same/],
  ])('does not take the password %s', async (password, repeated, text) => {
    const { browser } = await openSignedIn();
    const answer = await browser.post('/account/password', { password, repeated });
    expect([answer.status, alertOf(answer)]).toEqual([400, expect.stringMatching(text)]);
  });

  test('is not changed by a session that has ended meanwhile', async () => {
    const { browser, store, logIn, browse } = await openSignedIn();
    const { setPassword } = store.credentials;
    store.credentials.setPassword = async (context, ...given) => {
      await store.sessions.end(context, context.actor.clientId.replace('session:', ''));
      return setPassword(context, ...given);
    };
    const password = 'quite another sentence';
    expect((await browser.post('/account/password', { password, repeated: password })).location).toBe(
      '/login?to=/account',
    );
    expect((await logIn(browse(), 'ada')).status).toBe(303);
  });

  test('leads back to the page that has asked for a proof, on this service alone', async () => {
    const { browser } = await openSignedIn();
    for (const [to, leads] of [
      ['/console/settings/clients', '/console/settings/clients'],
      ['https://evil.example/', '/'],
    ] as const) {
      const { text } = await browser.get(`/account/confirm?to=${encodeURIComponent(to)}`);
      const [, given = ''] = /name="to" value="([^"]*)"/.exec(text) ?? [];
      expect((await browser.post('/account/confirm', { password: PASSWORD, to: given })).location).toBe(leads);
      expect((await browser.post('/account/confirm', { password: PASSWORD, to })).location).toBe(leads);
    }
    expect((await browser.post('/account/confirm', { password: PASSWORD })).location).toBe('/account');
  });

  test('a new password ends other sessions and keeps this one', async () => {
    const { browser, browse, logIn } = await openSignedIn();
    const other = browse();
    await logIn(other, 'ada');
    await browser.post('/account/password', { password: 'quite another one', repeated: 'quite another one' });
    expect((await other.get('/account')).status).toBe(303);
    expect((await browser.get('/account')).status).toBe(200);
  });

  test('sets up an authenticator app, recovery codes, and removes the app unless a second factor is needed', async () => {
    const { browser, codeOf, importRecords, clock } = await openSignedIn();
    expect((await browser.post('/account/recovery-codes')).status).toBe(400);
    const page = await browser.get('/account/authenticator');
    const secret = secretOf(page.text);
    expect(page.text).toContain(`otpauth://totp/Access%20Admin:Ada?secret=${secret}`);
    expect(page.text).toMatch(/<svg class="qr" role="img"/);
    const wrong = await browser.post('/account/authenticator', { secret, code: '12345' });
    expect([wrong.status, secretOf(wrong.text)]).toEqual([400, secret]);
    for (const bad of ['', 'AAAA', 'a'.repeat(32), '1'.repeat(32)])
      expect((await browser.post('/account/authenticator', { secret: bad, code: codeOf(secret) })).status).toBe(400);
    const added = await browser.post('/account/authenticator', { secret, code: codeOf(secret) });
    expect(headingOf(added)).toBe('Your recovery codes');
    const renewed = await browser.post('/account/recovery-codes');
    expect(renewed.text.match(/<li>[a-z2-7-]{19}<\/li>/g)).toHaveLength(10);
    clock.nowMs += MINUTE_MS;
    await importRecords([{ kind: 'identityProfile', id: 'ip', name: 'Staff', authProfile: { type: 'MFA' } }]);
    const refused = await browser.post('/account/authenticator/remove');
    expect([refused.status, alertOf(refused)]).toEqual([400, expect.stringMatching(/no longer be able to sign in/)]);
    await importRecords([{ kind: 'identityProfile', id: 'ip', name: 'Staff', authProfile: { type: 'NON_PTA' } }]);
    expect((await browser.post('/account/authenticator/remove')).location).toBe('/account?done=authenticator-removed');
  });

  async function openWithTwoFactors() {
    const signedIn = await openSignedIn();
    const { store, clock } = signedIn;
    const time = new Date(clock.nowMs).toISOString();
    const actor = { clientId: 'c', identityId: null };
    const context = { tenant: 'default', actor, operation: 'test', time, trackingId: '0'.repeat(32) };
    const key = { id: 'pk', name: 'laptop', publicKey: '', counter: 0, transports: [], created: time, lastUsed: null };
    await store.credentials.addPasskey(context, 'i-ada', { passkey: key, link: null, usedLink: null });
    await store.credentials.setTotp(context, 'i-ada', { secret: 's', lastStep: 0, link: null, usedLink: null });
    return signedIn;
  }
  const MFA = { kind: 'identityProfile', id: 'ip', name: 'Staff', authProfile: { type: 'MFA' } };
  const REMOVALS = ['/account/authenticator/remove', '/account/passkeys/pk/remove'] as const;

  test.each([[REMOVALS], [REMOVALS.toReversed()]])(
    'keeps its last way in when two windows remove one factor each: %j',
    async ([first = '', second = '']) => {
      const { browser, store, importRecords } = await openWithTwoFactors();
      await importRecords([MFA]);
      const before = await store.credentials.findIdentity('default', 'i-ada');
      expect((await browser.post(first)).status).toBe(303);
      // The second has read the identity before the first was stored.
      vi.spyOn(store.credentials, 'findIdentity').mockResolvedValueOnce(before);
      const refused = await browser.post(second);
      expect([refused.status, alertOf(refused)]).toEqual([400, expect.stringMatching(/no longer be able to sign in/)]);
    },
  );

  test('keeps the last way in of all administrators, also when another change comes between', async () => {
    const { browser, store, importRecords } = await openWithTwoFactors();
    const before = await store.credentials.findIdentity('default', 'i-ada');
    await importRecords([MFA]);
    expect((await browser.post(REMOVALS[1])).status).toBe(303);
    // It has read the identity before its auth profile demanded a second factor.
    vi.spyOn(store.credentials, 'findIdentity').mockResolvedValueOnce(before);
    const refused = await browser.post(REMOVALS[0]);
    expect([refused.status, alertOf(refused)]).toEqual([
      409,
      expect.stringMatching(/No administrator would be able to sign in/),
    ]);
  });

  test('lists its sessions and ends one of them, and none of another identity', async () => {
    const { browser, browse, logIn, setPassword, store, clock } = await openSignedIn();
    await setPassword('i-bob');
    const query = { nowMs: clock.nowMs, createdAfterMs: 0, activeAfterMs: 0 };
    const idsOf = async (identityId: string) =>
      (await store.sessions.list('default', { ...query, identityId }, { limit: 10, offset: 0 })).map(({ id }) => id);
    const [own = ''] = await idsOf('i-ada');
    const other = browse();
    await logIn(other, 'ada');
    const otherId = (await idsOf('i-ada')).find((id) => id !== own) ?? '';
    expect((await browser.get('/account')).text.match(/session since/gi)).toHaveLength(1);
    expect((await browser.post(`/account/sessions/${otherId}/end`)).location).toBe('/account?done=session');
    expect((await other.get('/account')).status).toBe(303);
    const [foreign = ''] = await idsOf('i-bob');
    expect((await browser.post(`/account/sessions/${foreign}/end`)).status).toBe(404);
    expect(await idsOf('i-bob')).toEqual([foreign]);
  });
});

describe('a passkey', () => {
  test('is created by a link, signs in alone, confirms, and is removed unless it is the only way in', async () => {
    const { browse, linkFor, clock, logIn } = await openPeople(NAMED);
    const key = createSoftAuthenticator();
    const browser = browse(AT);
    const path = await linkFor('i-ada');
    const creation = JSON.parse((await browser.send('POST', `${path}/passkey/options`)).text);
    const credential = JSON.stringify(key.register({ ...CEREMONY, challenge: creation.challenge }));
    expect((await browser.post(`${path}/passkey`, { credential })).location).toBe('/');
    expect((await browser.post(`${path}/passkey`, { credential })).status).toBe(404);

    const second = browse(AT);
    const answer = async (options: string, counter: number) => {
      const { challenge } = JSON.parse((await second.send('POST', options)).text);
      return JSON.stringify(key.authenticate({ ...CEREMONY, challenge, counter }));
    };
    const assertion = await answer('/login/passkey/options', 1);
    const signedIn = await second.post('/login/passkey', { credential: assertion, to: '/account' });
    expect([signedIn.status, signedIn.location]).toEqual([303, '/account']);
    // Neither the challenge nor the assertion works again.
    expect((await browse(AT).post('/login/passkey', { credential: assertion })).status).toBe(401);

    clock.nowMs += 6 * MINUTE_MS;
    const confirming = await answer('/account/confirm/passkey/options', 2);
    expect((await second.post('/account/confirm/passkey', { credential: confirming })).location).toBe('/account');
    const removed = await second.post(`/account/passkeys/${key.id}/remove`);
    expect([removed.status, alertOf(removed)]).toEqual([400, expect.stringMatching(/no longer be able to sign in/)]);
    await second.post('/account/password', { password: PASSWORD, repeated: PASSWORD });
    expect((await second.post(`/account/passkeys/${key.id}/remove`)).location).toBe('/account?done=passkey-removed');
    expect((await logIn(browse(AT), 'ada')).status).toBe(303);
  });

  test('is a second factor, and is not of another identity', async () => {
    const { browse, linkFor, logIn, setPassword } = await openPeople(NAMED);
    const keys = { ada: createSoftAuthenticator(), bob: createSoftAuthenticator() };
    for (const name of ['ada', 'bob'] as const) {
      const browser = browse(AT);
      const path = await linkFor(`i-${name}`);
      await browser.post(path, { password: PASSWORD, repeated: PASSWORD });
      const { challenge } = JSON.parse((await browser.send('POST', '/account/passkeys/options')).text);
      const credential = JSON.stringify(keys[name].register({ ...CEREMONY, challenge }));
      expect((await browser.post('/account/passkeys', { credential })).location).toBe('/account?done=passkey');
    }
    expect(setPassword).toBeDefined();
    const browser = browse(AT);
    expect((await browser.post(await linkFor('i-ada'), { password: PASSWORD, repeated: PASSWORD })).location).toMatch(
      /^\/login\/second-factor\?state=/,
    );
    const prove = async (key: ReturnType<typeof createSoftAuthenticator>) => {
      const { challenge } = JSON.parse((await browser.send('POST', '/login/second-factor/passkey/options')).text);
      const credential = JSON.stringify(key.authenticate({ ...CEREMONY, challenge, counter: 5 }));
      return browser.post('/login/second-factor/passkey', { credential });
    };
    expect((await prove(keys.bob)).status).toBe(401);
    expect((await prove(keys.ada)).location).toBe('/');
    expect((await logIn(browse(AT), 'ada')).status).toBe(303);
  });

  test('is offered neither at an address by number nor in a frame', async () => {
    const plain = await openPeople();
    expect((await plain.browse().send('POST', '/login/passkey/options')).status).toBe(409);
    expect((await plain.browse().get('/login')).text).not.toContain('passkey');
    const named = await openPeople(NAMED);
    expect((await named.browse(AT).get('/login')).text).toContain('Sign in with a passkey');
    const framed = named.browse({ ...AT, headers: { 'sec-fetch-dest': 'iframe' } });
    expect((await framed.send('POST', '/login/passkey/options')).status).toBe(409);
    expect((await framed.get('/login')).text).not.toContain('passkey');
  });

  test('the account says why none can be added', async () => {
    const { browser } = await openSignedIn();
    expect((await browser.get('/account')).text).toContain('Passkeys need an address with a name and https');
    const named = await openSignedIn(NAMED);
    expect((await named.browser.get('/account')).text).not.toContain('Passkeys need an address');
    const framed = named.browse({ ...AT, headers: { 'sec-fetch-dest': 'iframe' } });
    await named.logIn(framed, 'ada', { to: '/account' });
    expect((await framed.get('/account')).text).toContain('A page in a frame cannot add a passkey');
  });
});

test('a frame has a session of its own, in a partitioned cookie', async () => {
  const { browse, logIn, setPassword } = await openPeople();
  await setPassword('i-ada');
  const framed = browse({ headers: { 'sec-fetch-dest': 'iframe' } });
  const { setCookies } = await logIn(framed, 'ada', { to: '/account' });
  expect(setCookies[0]).toMatch(
    /^__Host-session-framed=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=None; Partitioned$/,
  );
  expect((await framed.get('/account')).status).toBe(200);
  const outside = browse();
  for (const [name, value] of framed.cookies) outside.cookies.set(name, value);
  expect((await outside.get('/account')).status).toBe(303);
  for (const value of framed.cookies.values()) outside.cookies.set('session', value);
  expect((await outside.get('/account')).status).toBe(303);
});

test.each([
  ['in a frame', { 'sec-fetch-dest': 'iframe' }, {}, (id: string) => `sign-in-${id}`],
  ['outside of one', {}, { 'sec-fetch-dest': 'iframe' }, (id: string) => `__Host-sign-in-${id}-framed`],
])('a sign-in that was begun %s goes on there alone', async (_, begun, moved, nameOf) => {
  const { browse, linkFor } = await openPeople({ authProfile: { type: 'MFA' } });
  const browser = browse({ headers: begun });
  const used = await browser.post(await linkFor('i-ada'), { password: PASSWORD, repeated: PASSWORD });
  expect(used.location).toMatch(/^\/login\/enrolment\?state=/);
  const id = new URL(used.location ?? '', ORIGIN).searchParams.get('state') ?? '';
  expect((await browser.get(used.location ?? '')).status).toBe(200);
  const other = browse({ headers: moved });
  for (const token of browser.cookies.values()) other.cookies.set(nameOf(id), token);
  expect((await other.get(used.location ?? '')).location).toBe('/login');
});
