import { describe, expect, test } from 'vitest';
import type { Browser } from '../browser.ts';
import { openPeople, PASSWORD, type PeopleOptions, secretOf } from '../sign-in-people.ts';
import { createSoftAuthenticator } from '../soft-authenticator.ts';

const MINUTE_MS = 60_000;
const BASE = 'http://localhost:8080';
const CEREMONY = { origin: BASE, rpId: 'localhost' };
const PLANTED = 'chosen by another one';
const person = (id: string, capabilities: readonly string[] = []) => ({
  kind: 'identity',
  id: `i-${id}`,
  uid: id,
  displayName: id,
  identityProfile: 'ip',
  capabilities,
});

/** Beside Ada, an administrator, and Bob, without capabilities: the agent Hal, who makes links. */
async function openOffice(authProfile: PeopleOptions['authProfile'] = {}) {
  const people = await openPeople({ authProfile, config: { baseAddress: BASE } });
  const { call, clientToken, importRecords, clock } = people;
  await importRecords([person('hal', ['HELPDESK'])]);
  const tokens = { ada: await clientToken({ identityId: 'i-ada' }), hal: await clientToken({ identityId: 'i-hal' }) };
  const browse = () => people.browse({ origin: BASE });
  const linkOf = async (maker: keyof typeof tokens, id = 'i-bob'): Promise<string> => {
    const made = await call('POST', `/auth-users/v1/${id}/sign-in-link`, { token: tokens[maker], body: {} });
    return new URL(made.json.url).pathname;
  };
  const give = async (id: string, ...capabilities: readonly string[]) => {
    const body = [{ op: 'replace', path: '/capabilities', value: capabilities }];
    expect((await call('PATCH', `/auth-users/v1/${id}`, { body })).status).toBe(200);
  };
  const register = async (browser: Browser, path: string, key: ReturnType<typeof createSoftAuthenticator>) => {
    const { challenge } = JSON.parse((await browser.send('POST', `${path}/options`)).text);
    return browser.post(path, { credential: JSON.stringify(key.register({ ...CEREMONY, challenge })) });
  };
  let counter = 0;
  const signInBy = async (key: ReturnType<typeof createSoftAuthenticator>) => {
    const browser = browse();
    const { challenge } = JSON.parse((await browser.send('POST', '/login/passkey/options')).text);
    counter += 1;
    const credential = JSON.stringify(key.authenticate({ ...CEREMONY, challenge, counter }));
    const { status } = await browser.post('/login/passkey', { credential });
    return { status, browser };
  };
  const signIn = async (password: string) => {
    const browser = browse();
    const { status } = await people.logIn(browser, 'bob', { password });
    return { status, browser };
  };
  const isIn = async (browser: Browser) => (await browser.get('/account')).status === 200;
  const waysOf = async (id = 'i-bob') => {
    const { json } = await call('GET', `/auth-users/v1/${id}/credentials`);
    return [json.password !== null, json.totp, json.passkeys.length, json.recoveryCodesLeft];
  };
  const later = () => {
    clock.nowMs += MINUTE_MS;
  };
  return { ...people, browse, linkOf, give, register, signInBy, signIn, isIn, waysOf, later };
}

type Office = Awaited<ReturnType<typeof openOffice>>;

const promote: Readonly<Record<string, (office: Office) => Promise<unknown>>> = {
  'a patch': ({ give }) => give('i-bob', 'ORG_ADMIN'),
  'an import': async ({ importRecords }) =>
    expect((await importRecords([person('bob', ['ORG_ADMIN'])])).status).toBe(200),
  'an import that also gives another uid': async ({ importRecords }) =>
    expect((await importRecords([{ ...person('bob', ['ORG_ADMIN']), uid: 'robert' }])).status).toBe(200),
};

describe('an agent that sets a factor of a person by a link does not keep it when the person is promoted by', () => {
  test.each(Object.entries(promote))('%s: a passkey, and its sessions', async (_, promoteBob) => {
    const office = await openOffice();
    const { browse, linkOf, register, signInBy, isIn, waysOf, call } = office;
    const key = createSoftAuthenticator();
    const link = await linkOf('hal');
    expect((await register(browse(), `${link}/passkey`, key)).location).toBe('/');
    const before = await signInBy(key);
    expect([before.status, await isIn(before.browser)]).toEqual([303, true]);
    await promoteBob(office);
    expect(await isIn(before.browser)).toBe(false);
    expect((await signInBy(key)).status).toBe(401);
    expect(await waysOf()).toEqual([false, false, 0, 0]);
    const { json } = await call('GET', '/audit-events/v1?filters=resourceId%20eq%20%22i-bob%22');
    expect(JSON.stringify(json)).toContain(`{"field":"passkey","before":{"id":"${key.id}","name":"Passkey 1"}`);
  });

  test.each(Object.entries(promote))('%s: a password, and its sessions', async (_, promoteBob) => {
    const office = await openOffice();
    const { browse, linkOf, signIn, isIn, waysOf } = office;
    expect((await browse().post(await linkOf('hal'), { password: PLANTED, repeated: PLANTED })).location).toBe('/');
    const before = await signIn(PLANTED);
    expect(await isIn(before.browser)).toBe(true);
    await promoteBob(office);
    expect(await isIn(before.browser)).toBe(false);
    expect((await signIn(PLANTED)).status).toBe(401);
    expect(await waysOf()).toEqual([false, false, 0, 0]);
  });

  test.each(Object.entries(promote))('%s: an authenticator app and its recovery codes', async (_, promoteBob) => {
    const office = await openOffice({ type: 'MFA' });
    const { browse, linkOf, codeOf, signIn, waysOf, later } = office;
    const browser = browse();
    await browser.post(await linkOf('hal'), { password: PLANTED, repeated: PLANTED });
    const secret = secretOf((await browser.get('/login/enrolment')).text);
    await browser.post('/login/enrolment', { secret, code: codeOf(secret) });
    expect(await waysOf()).toEqual([true, true, 0, 10]);
    later();
    const pending = await signIn(PLANTED);
    expect((await pending.browser.get('/login/second-factor')).status).toBe(200);
    await promoteBob(office);
    expect(await waysOf()).toEqual([false, false, 0, 0]);
    const proven = await pending.browser.post('/login/second-factor', { code: codeOf(secret) });
    expect([proven.location, await office.isIn(pending.browser)]).toEqual(['/login', false]);
  });

  test.each<[string, (office: Office, link: string) => Promise<Browser>]>([
    [
      'the session of the link',
      async ({ browse }, link) => {
        const browser = browse();
        await browser.post(link, { password: PLANTED, repeated: PLANTED });
        return browser;
      },
    ],
    [
      'a sign-in by the password of the link',
      async ({ browse, signIn }, link) => {
        await browse().post(link, { password: PLANTED, repeated: PLANTED });
        return (await signIn(PLANTED)).browser;
      },
    ],
    [
      'a sign-in by the passkey of the link',
      async ({ browse, register, signInBy }, link) => {
        const key = createSoftAuthenticator();
        await register(browse(), `${link}/passkey`, key);
        return (await signInBy(key)).browser;
      },
    ],
  ])('a patch: what it has set at /account in %s', async (_, begin) => {
    const office = await openOffice();
    const { linkOf, register, signInBy, signIn, codeOf, give, waysOf, isIn } = office;
    const browser = await begin(office, await linkOf('hal'));
    const key = createSoftAuthenticator();
    expect((await register(browser, '/account/passkeys', key)).location).toBe('/account?done=passkey');
    const secret = secretOf((await browser.get('/account/authenticator')).text);
    expect((await browser.post('/account/authenticator', { secret, code: codeOf(secret) })).status).toBe(200);
    const password = 'and one more sentence';
    expect((await browser.post('/account/password', { password, repeated: password })).location).toBe(
      '/account?done=password',
    );
    expect(await waysOf()).toEqual([true, true, expect.any(Number), 10]);
    const again = await signInBy(key);
    const third = createSoftAuthenticator();
    expect((await register(again.browser, '/account/passkeys', third)).location).toBe('/account?done=passkey');
    await give('i-bob', 'ORG_ADMIN');
    expect(await waysOf()).toEqual([false, false, 0, 0]);
    expect([(await signInBy(key)).status, (await signInBy(third)).status]).toEqual([401, 401]);
    expect((await signIn(password)).status).toBe(401);
    expect([await isIn(browser), await isIn(again.browser)]).toEqual([false, false]);
  });

  test('a patch that gives what an identity has that was created with the id of the deleted maker', async () => {
    const { browse, linkOf, importRecords, give, signIn, waysOf, later } = await openOffice();
    await browse().post(await linkOf('hal'), { password: PLANTED, repeated: PLANTED });
    await importRecords([{ kind: 'identity', id: 'i-hal', delete: true }]);
    later();
    await importRecords([person('hal', ['HELPDESK'])]);
    expect((await signIn(PLANTED)).status).toBe(303);
    await give('i-bob', 'HELPDESK');
    expect((await signIn(PLANTED)).status).toBe(401);
    expect(await waysOf()).toEqual([false, false, 0, 0]);
  });

  test('a promotion at the same moment as the use of the link', async () => {
    const { browse, linkOf, call, importRecords, waysOf } = await openOffice();
    const ids = Array.from({ length: 12 }, (_, number) => `new-${number}`);
    await importRecords(ids.map((id) => person(id)));
    const body = [{ op: 'add', path: '/capabilities/-', value: 'ORG_ADMIN' }];
    const outcomes = await Promise.all(
      ids.map(async (id) => {
        const link = await linkOf('hal', `i-${id}`);
        const used = browse().post(link, { password: PLANTED, repeated: PLANTED });
        const promoted = await call('PATCH', `/auth-users/v1/i-${id}`, { body });
        await used;
        return [promoted.status, ...(await waysOf(`i-${id}`))];
      }),
    );
    expect(outcomes).toEqual(ids.map(() => [200, false, false, 0, 0]));
  });
});

describe('a factor stays', () => {
  test('when its person gains what the maker of the link has, or loses something, and ends with the next promotion', async () => {
    const { browse, linkOf, give, signIn } = await openOffice();
    await give('i-hal', 'HELPDESK', 'CERT_ADMIN');
    await browse().post(await linkOf('hal'), { password: PLANTED, repeated: PLANTED });
    const { browser } = await signIn(PLANTED);
    for (const capabilities of [['CERT_ADMIN'], [], ['CERT_ADMIN']]) {
      await give('i-bob', ...capabilities);
      expect([capabilities, (await browser.get('/account')).status]).toEqual([capabilities, 200]);
      expect((await signIn(PLANTED)).status).toBe(303);
    }
    await give('i-bob', 'CERT_ADMIN', 'POLICY_ADMIN');
    expect((await signIn(PLANTED)).status).toBe(401);
    // It does not come back.
    await give('i-bob');
    expect((await signIn(PLANTED)).status).toBe(401);
  });

  test('of a link of an administrator, or of an application, but for INTERNAL of the former', async () => {
    const { browse, linkOf, linkFor, give, signIn, importRecords } = await openOffice();
    await browse().post(await linkFor('i-ada'), { password: PASSWORD, repeated: PASSWORD });
    const outcomes = async (link: string) => {
      await browse().post(link, { password: PLANTED, repeated: PLANTED });
      await give('i-bob', 'ORG_ADMIN', 'POLICY_ADMIN');
      const first = (await signIn(PLANTED)).status;
      await importRecords([person('bob', ['INTERNAL'])]);
      const second = (await signIn(PLANTED)).status;
      await importRecords([person('bob')]);
      return [first, second];
    };
    expect(await outcomes(await linkOf('ada'))).toEqual([303, 401]);
    expect(await outcomes(await linkFor('i-bob'))).toEqual([303, 303]);
  });

  test('that its person has enrolled itself, and what it sets after it has proven that one', async () => {
    const { browse, linkOf, linkFor, codeOf, give, logIn, later, waysOf, register, isIn } = await openOffice({
      type: 'MFA',
    });
    const owner = browse();
    await owner.post(await linkFor('i-bob'), { password: PASSWORD, repeated: PASSWORD });
    const secret = secretOf((await owner.get('/login/enrolment')).text);
    await owner.post('/login/enrolment', { secret, code: codeOf(secret) });
    later();
    const reset = browse();
    const link = await linkOf('hal');
    expect((await reset.post(link, { password: PLANTED, repeated: PLANTED })).location).toMatch(
      /^\/login\/second-factor\?state=/,
    );
    expect((await reset.post('/login/second-factor', { code: codeOf(secret) })).location).toBe('/');
    later();
    const again = browse();
    await logIn(again, 'bob', { password: PLANTED });
    expect((await again.post('/login/second-factor', { code: codeOf(secret) })).location).toBe('/');
    expect((await register(again, '/account/passkeys', createSoftAuthenticator())).location).toBe(
      '/account?done=passkey',
    );
    await give('i-bob', 'ORG_ADMIN');
    expect(await waysOf()).toEqual([false, true, 1, 10]);
    expect([await isIn(reset), await isIn(again)]).toEqual([false, true]);
  });

  test('with another uid alone, also when the maker of its link is gone', async () => {
    const { browse, linkOf, importRecords, logIn } = await openOffice();
    await browse().post(await linkOf('hal'), { password: PLANTED, repeated: PLANTED });
    await importRecords([
      { kind: 'identity', id: 'i-hal', delete: true },
      { ...person('bob'), uid: 'robert' },
    ]);
    expect((await logIn(browse(), 'robert', { password: PLANTED })).status).toBe(303);
  });
});

describe('each new factor is told', () => {
  test('by an event that names the maker of its link, and at /account', async () => {
    const { browse, linkOf, codeOf, call, register, clock } = await openOffice();
    const browser = browse();
    await browser.post(await linkOf('hal'), { password: PLANTED, repeated: PLANTED });
    await register(browser, '/account/passkeys', createSoftAuthenticator());
    const secret = secretOf((await browser.get('/account/authenticator')).text);
    await browser.post('/account/authenticator', { secret, code: codeOf(secret) });
    const told = (await call('GET', '/events/v1?types=auth-user.factor-added')).json;
    const data = { id: 'i-bob', displayName: 'Bob', name: null, linkMakerId: 'i-hal' };
    expect(told.map(({ subject, data }: { subject: string; data: object }) => [subject, data])).toEqual(
      [
        { ...data, factor: 'PASSWORD' },
        { ...data, factor: 'PASSKEY', name: 'Passkey 1' },
        { ...data, factor: 'TOTP' },
        { ...data, factor: 'RECOVERY_CODE' },
      ].map((each) => ['/auth-users/v1/i-bob', each]),
    );
    const { text } = await browser.get('/account');
    const notice = /<section[^>]*aria-labelledby="new-factors">.*?<\/section>/s.exec(text)?.[0] ?? '';
    expect(notice.match(/<li>/g)).toHaveLength(4);
    for (const name of ['Password', 'Passkey 1', 'Authenticator app', 'Recovery codes']) expect(notice).toContain(name);
    expect(notice.match(/by a sign-in link/g)).toHaveLength(4);
    clock.nowMs += 30 * 24 * 60 * MINUTE_MS;
    const later = browse();
    await later.post('/login', { username: 'bob', password: PLANTED });
    await later.post('/login/second-factor', { code: codeOf(secret) });
    expect((await later.get('/account')).text).not.toContain('new-factors');
  });
});
