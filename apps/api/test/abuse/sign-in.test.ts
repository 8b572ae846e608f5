import { describe, expect, test } from 'vitest';
import { parseNetworks } from '../../src/http/client-address.ts';
import { bringIntoBeing } from '../bring-into-being.ts';
import { alertOf, headingOf, ORIGIN } from '../browser.ts';
import { openPeople, PASSWORD, secretOf } from '../sign-in-people.ts';

const MINUTE_MS = 60_000;

describe('an attacker', () => {
  test('that guesses a password is stopped after five guesses, also if many are sent at once', async () => {
    const { browse, logIn, setPassword } = await openPeople();
    await setPassword('i-ada');
    const guesses = Array.from({ length: 40 }, (_, guess) => (guess === 30 ? PASSWORD : `guess number ${guess}`));
    const answers = await Promise.all(guesses.map((password) => logIn(browse(), 'ada', { password })));
    expect(answers.map(({ status }) => status)).toEqual(Array(40).fill(401));
  });

  test('that guesses codes of a second factor locks the user', async () => {
    const { browse, logIn, linkFor, codeOf, clock } = await openPeople({ authProfile: { type: 'MFA' } });
    const owner = browse();
    await owner.post(await linkFor('i-ada'), { password: PASSWORD, repeated: PASSWORD });
    const secret = secretOf((await owner.get('/login/enrolment')).text);
    await owner.post('/login/enrolment', { secret, code: codeOf(secret) });
    clock.nowMs += MINUTE_MS;
    const browser = browse();
    await logIn(browser, 'ada');
    const right = codeOf(secret);
    const wrong = right === '000000' ? '000001' : '000000';
    const guess = (code: string) => browser.post('/login/second-factor', { code });
    await Promise.all(Array.from({ length: 20 }, () => guess(wrong)));
    expect((await guess(right)).location).not.toBe('/');
    expect((await browser.get('/account')).status).toBe(303);
    expect((await logIn(browse(), 'ada')).status).toBe(401);
  });

  test('that tries one password with many users is locked by its address, and others are not', async () => {
    const { browse, logIn, setPassword } = await openPeople({ config: { trustedProxies: parseNetworks('127.0.0.1') } });
    await setPassword('i-ada');
    const from = (address: string) => browse({ headers: { 'x-forwarded-for': address } });
    for (let user = 0; user < 100; user++) await logIn(from('203.0.113.7'), `user-${user}`);
    expect((await logIn(from('203.0.113.7'), 'ada')).status).toBe(401);
    expect((await logIn(from('203.0.113.8'), 'ada')).status).toBe(303);
  });

  test('at a locked address locks no user elsewhere, with right passwords or wrong ones; the lock is told', async () => {
    const { browse, logIn, setPassword, call, audited, clock } = await openPeople({
      config: { trustedProxies: parseNetworks('127.0.0.1') },
    });
    await setPassword('i-ada');
    await setPassword('i-bob');
    const from = (address: string) => browse({ headers: { 'x-forwarded-for': address } });
    for (let user = 0; user < 100; user++) await logIn(from('2001:db8:1:2::7'), `user-${user}`);
    for (let attempt = 0; attempt < 6; attempt++) {
      expect((await logIn(from('2001:db8:1:2::8'), 'ada')).status).toBe(401);
      expect((await logIn(from('2001:db8:1:2::9'), 'bob', { password: 'wrong' })).status).toBe(401);
    }
    for (const username of ['ada', 'bob']) expect((await logIn(from('203.0.113.8'), username)).status).toBe(303);
    const told = (await call('GET', '/events/v1?types=sign-in.locked')).json;
    expect(told.map(({ subject, data }: { subject: string; data: object }) => [subject, data])).toEqual([
      [
        '/auth-users/v1',
        {
          id: null,
          displayName: null,
          reasons: ['LOCKED_OUT'],
          address: '2001:db8:1:2::/64',
          lockedUntil: new Date(clock.nowMs + 15 * MINUTE_MS).toISOString(),
        },
      ],
    ]);
    const named = (await audited('sign-in')).filter(
      ({ outcome, resource }: { outcome: string; resource: { id: string | null } }) =>
        outcome === 'DENIED' && resource.id !== null,
    );
    expect(named).toEqual([]);
  });

  test('does not choose its address by X-Forwarded-For, and not its country', async () => {
    const network = { range: ['10.9.9.9'], geolocation: ['CH'], whitelisted: true };
    const { browse, logIn, linkFor, call } = await openPeople({
      authProfile: { offNetwork: true, untrustedGeography: true },
      config: { countryHeader: 'x-country' },
    });
    const spoofed = { 'x-forwarded-for': '10.9.9.9', 'x-country': 'CH' };
    const browser = browse({ headers: spoofed });
    const path = await linkFor('i-ada');
    expect((await call('POST', '/auth-org/v1/network-config', { body: network })).status).toBe(200);
    const refused = await browser.post(path, { password: PASSWORD, repeated: PASSWORD });
    expect([refused.status, headingOf(refused)]).toEqual([403, 'You cannot sign in at the moment']);
    expect((await logIn(browser, 'ada')).status).toBe(401);
  });

  test('behind a trusted proxy cannot prepend an address', async () => {
    const { browse, logIn, setPassword, call } = await openPeople({
      authProfile: { offNetwork: true },
      config: { trustedProxies: parseNetworks('127.0.0.1') },
    });
    await setPassword('i-bob');
    await call('POST', '/auth-org/v1/network-config', { body: { range: ['10.9.9.9'] } });
    const from = (forwarded: string) => logIn(browse({ headers: { 'x-forwarded-for': forwarded } }), 'bob');
    expect((await from('10.9.9.9, 203.0.113.7')).status).toBe(401);
    expect((await from('203.0.113.7, 10.9.9.9')).status).toBe(303);
  });

  test.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['a sandboxed page', { origin: 'null' }],
    ['another port', { origin: 'http://127.0.0.1:9' }],
    ['a page of the same site', { origin: ORIGIN, 'sec-fetch-site': 'same-site' }],
    ['another site', { origin: ORIGIN, 'sec-fetch-site': 'cross-site' }],
    ['no origin', { origin: '' }],
  ])('cannot post from %s', async (_, headers) => {
    const { browse, setPassword, linkFor } = await openPeople();
    await setPassword('i-ada');
    const link = await linkFor('i-bob');
    const browser = browse();
    const paths = ['/login', '/login/second-factor', '/login/passkey/options', link, '/sign-out', '/account/password'];
    for (const path of paths) {
      const answer = await browser.post(path, { username: 'ada', password: PASSWORD, repeated: PASSWORD }, headers);
      expect([path, answer.status, headingOf(answer), answer.setCookies]).toEqual([
        path,
        403,
        'This is not allowed',
        [],
      ]);
      expect(answer.text).toContain(ORIGIN);
    }
    expect((await browser.get(link)).status).toBe(200);
  });

  test('cannot redirect a sign-in elsewhere, nor inject a header', async () => {
    const { browse, logIn, setPassword } = await openPeople();
    await setPassword('i-ada');
    for (const to of [
      '//evil.example',
      'https://evil.example',
      '/\\evil.example',
      '/%2f/evil',
      '/a\r\nset-cookie: x=y',
    ]) {
      const answer = await logIn(browse(), 'ada', { to });
      expect([to, answer.location, answer.headers.get('x')]).toEqual([to, '/', null]);
      expect(answer.setCookies.filter((cookie) => cookie.startsWith('x='))).toEqual([]);
    }
  });

  test('cannot use a link twice, late, of another tenant or changed', async () => {
    const { browse, linkFor, clock, importRecords, clientToken } = await openPeople();
    const fields = { password: PASSWORD, repeated: PASSWORD };
    const both = await linkFor('i-ada');
    const answers = await Promise.all([1, 2].map(() => browse().post(both, fields)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 404]);
    const late = await linkFor('i-ada');
    clock.nowMs += 3_600_000;
    expect((await browse().post(late, fields)).status).toBe(404);
    const changed = await linkFor('i-ada');
    for (const path of [`${changed}x`, changed.slice(0, -1), '/sign-in-link/%00', '/sign-in-link/%ff'])
      expect([path, (await browse().get(path)).status]).toEqual([path, 404]);
    const token = await clientToken({ tenant: 'other' });
    const profile = { kind: 'identityProfile', id: 'ip', name: 'Staff' };
    await importRecords([profile, { kind: 'identity', id: 'i-ada', uid: 'ada', identityProfile: 'ip' }], token);
    expect((await browse().get(await linkFor('i-ada', 'other'))).status).toBe(404);
  });

  test('cannot use a session of another tenant', async () => {
    const { browse, linkFor, store, clock } = await openPeople({
      config: { baseAddress: 'http://{tenant}.localhost:8080' },
    });
    const at = (tenant: string) => {
      const host = `${tenant}.localhost:8080`;
      return browse({ origin: `http://${host}`, headers: { host } });
    };
    const own = at('default');
    const used = await own.post(await linkFor('i-ada'), { password: PASSWORD, repeated: PASSWORD });
    expect(used.location).toBe('/');
    expect((await own.get('/account')).status).toBe(200);
    const other = at('other');
    await bringIntoBeing(store, 'other', new Date(clock.nowMs).toISOString());
    for (const [name, value] of own.cookies) other.cookies.set(name, value);
    expect([own.cookies.size, (await other.get('/account')).status]).toEqual([1, 303]);
    for (const tenant of ['no_tenant', 'invented']) expect((await at(tenant).get('/account')).status).toBe(404);
  });

  test('cannot fixate a session or a pending sign-in', async () => {
    const { browse, logIn, setPassword, linkFor, importRecords } = await openPeople();
    await setPassword('i-ada');
    const browser = browse();
    browser.cookies.set('session', 'fixed');
    browser.cookies.set('sign-in-fixed', 'fixed');
    await logIn(browser, 'ada');
    expect(browser.cookies.get('session')).not.toBe('fixed');
    await importRecords([{ kind: 'identityProfile', id: 'ip', name: 'Staff', authProfile: { type: 'MFA' } }]);
    const { location } = await browser.post(await linkFor('i-bob'), { password: PASSWORD, repeated: PASSWORD });
    const state = new URL(location ?? '', ORIGIN).searchParams.get('state');
    expect([state, browser.cookies.get(`sign-in-${state}`)]).not.toContain('fixed');
    expect((await browser.get('/login/enrolment?state=fixed')).location).toBe('/login');
    const attacker = browse();
    attacker.cookies.set('session', 'fixed');
    expect((await attacker.get('/account')).status).toBe(303);
  });

  test.each([
    ['a form twice', { body: 'username=a&username=b' }, 400],
    ['NUL', { body: 'username=a%00b&password=c' }, 400],
    ['no UTF-8', { body: 'username=%ff' }, 400],
    ['JSON', { body: '{}', headers: { 'content-type': 'application/json' } }, 415],
    ['an encoded body', { body: 'x', headers: { 'content-encoding': 'gzip' } }, 415],
    ['a large body', { body: `username=${'x'.repeat(70_000)}` }, 413],
    ['surrogates', { body: 'username=%ED%A0%80&password=x' }, 400],
    ['an empty form', { body: '' }, 401],
  ])('that sends %s gets a page with a status below 500', async (_, sent, status) => {
    const { browse } = await openPeople();
    const answer = await browse().send('POST', '/login', sent);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8']);
  });

  test.each(['{}', '[]', 'null', '"x"', '{', '{"id":"x"}', `{"id":"${'x'.repeat(2000)}"}`, '{"id":"x","response":{}}'])(
    'that sends the credential %j is not signed in',
    async (credential) => {
      const { browse } = await openPeople({ config: { baseAddress: 'http://localhost:8080' } });
      const browser = browse({ origin: 'http://localhost:8080' });
      const begun = await browser.send('POST', '/login/passkey/options');
      expect(begun.status).toBe(200);
      const answer = await browser.post('/login/passkey', { credential });
      expect([answer.status, alertOf(answer) !== null]).toEqual([401, true]);
      expect((await browser.post('/login/passkey', { credential })).status).toBe(401);
    },
  );
});
