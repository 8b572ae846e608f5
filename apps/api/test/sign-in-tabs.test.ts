import { describe, expect, test } from 'vitest';
import type { Browser } from './browser.ts';
import { openPeople, PASSWORD, secretOf } from './sign-in-people.ts';
import { createSoftAuthenticator } from './soft-authenticator.ts';

const BASE = 'http://localhost:8080';
const CEREMONY = { origin: BASE, rpId: 'localhost' };
const FIELDS = { password: PASSWORD, repeated: PASSWORD };

async function openTabs(type: 'MFA' | 'NON_PTA' = 'MFA') {
  const people = await openPeople({ authProfile: { type }, config: { baseAddress: BASE } });
  const browse = () => people.browse({ origin: BASE });
  const useLink = async (browser: Browser, identityId: string) =>
    (await browser.post(await people.linkFor(identityId), FIELDS)).location ?? '';
  const identityIn = async (browser: Browser) =>
    JSON.parse((await browser.get('/sessions/v1/current')).text).identityId;
  const optionsAt = async (browser: Browser, path: string): Promise<string> =>
    JSON.parse((await browser.send('POST', path)).text).challenge;
  const totpOf = async (identityId: string) =>
    (await people.call('GET', `/auth-users/v1/${identityId}/credentials`, { headers: { host: 'localhost:8080' } })).json
      .totp;
  return { ...people, browse, useLink, identityIn, optionsAt, totpOf };
}

/** Where the forms of a page lead that are sent by POST. */
const actionsOf = (text: string) =>
  [...text.matchAll(/method="post" action="(\/login[^"]*)"/g)].map(([, action = '']) => action);

describe('a second tab of the browser', () => {
  test('leaves an enrolment by a link open, whatever it begins', async () => {
    const { browse, useLink, codeOf, logIn, optionsAt, identityIn } = await openTabs();
    const browser = browse();
    const enrolment = await useLink(browser, 'i-bob');
    expect(enrolment).toMatch(/^\/login\/enrolment\?state=[\w-]{43}$/);
    const page = await browser.get(enrolment);
    expect(actionsOf(page.text)).toEqual([enrolment.replace('enrolment', 'enrolment/passkey'), enrolment]);
    await browser.get('/login');
    await optionsAt(browser, '/login/passkey/options');
    await logIn(browser, 'bob', { password: 'a wrong one entirely' });
    await logIn(browser, 'bob');
    const secret = secretOf(page.text);
    expect((await browser.post(enrolment, { secret, code: codeOf(secret) })).status).toBe(200);
    expect(await identityIn(browser)).toBe('i-bob');
  });

  test('enrols for its own person', async () => {
    const { browse, useLink, codeOf, identityIn, totpOf } = await openTabs();
    const browser = browse();
    const bob = await useLink(browser, 'i-bob');
    const cleo = await useLink(browser, 'i-cleo');
    // Without a state it is not known which is meant.
    expect((await browser.get('/login/enrolment')).location).toBe('/login');
    const secret = secretOf((await browser.get(bob)).text);
    expect((await browser.post(bob, { secret, code: codeOf(secret) })).status).toBe(200);
    expect([await identityIn(browser), await totpOf('i-bob'), await totpOf('i-cleo')]).toEqual(['i-bob', true, false]);
    // The other one is the only one now.
    expect(actionsOf((await browser.get('/login/enrolment')).text)).toContain(cleo);
    expect((await browser.get(bob)).location).toBe('/login');
  });

  test('proves a second factor of its own person', async () => {
    const { browse, useLink, codeOf, logIn, identityIn, clock } = await openTabs();
    const secrets: Record<string, string> = {};
    for (const name of ['bob', 'cleo']) {
      const browser = browse();
      const enrolment = await useLink(browser, `i-${name}`);
      const secret = secretOf((await browser.get(enrolment)).text);
      await browser.post(enrolment, { secret, code: codeOf(secret) });
      secrets[name] = secret;
    }
    clock.nowMs += 60_000;
    const browser = browse();
    const bob = (await logIn(browser, 'bob')).location ?? '';
    const cleo = (await logIn(browser, 'cleo')).location ?? '';
    expect(actionsOf((await browser.get(bob)).text)).toEqual([bob, bob]);
    expect((await browser.post(bob, { code: codeOf(secrets['cleo'] ?? '') })).status).toBe(401);
    expect((await browser.post(bob, { code: codeOf(secrets['bob'] ?? '') })).location).toBe('/');
    expect(await identityIn(browser)).toBe('i-bob');
    expect((await browser.post(cleo, { code: codeOf(secrets['cleo'] ?? '') })).location).toBe('/');
    expect(await identityIn(browser)).toBe('i-cleo');
  });

  test('does not end the ceremony of a passkey: of a link, at the account, and at sign-in', async () => {
    const { browse, linkFor, optionsAt } = await openTabs('NON_PTA');
    const browser = browse();
    const key = createSoftAuthenticator();
    const link = await linkFor('i-bob');
    const challenge = await optionsAt(browser, `${link}/passkey/options`);
    await optionsAt(browser, '/login/passkey/options');
    const created = JSON.stringify(key.register({ ...CEREMONY, challenge }));
    expect((await browser.post(`${link}/passkey`, { credential: created })).location).toBe('/');
    const second = createSoftAuthenticator();
    const adding = await optionsAt(browser, '/account/passkeys/options');
    await optionsAt(browser, '/account/passkeys/options');
    await optionsAt(browser, '/account/confirm/passkey/options');
    const added = JSON.stringify(second.register({ ...CEREMONY, challenge: adding }));
    expect((await browser.post('/account/passkeys', { credential: added })).location).toBe('/account?done=passkey');
    // A challenge is answered once.
    const again = JSON.stringify(createSoftAuthenticator().register({ ...CEREMONY, challenge: adding }));
    expect((await browser.post('/account/passkeys', { credential: again })).status).toBe(400);
    const other = browse();
    const first = await optionsAt(other, '/login/passkey/options');
    await optionsAt(other, '/login/passkey/options');
    const credential = JSON.stringify(second.authenticate({ ...CEREMONY, challenge: first, counter: 1 }));
    expect((await other.post('/login/passkey', { credential })).location).toBe('/');
  });

  test('does not let the cookies of the browser grow', async () => {
    const { browse, useLink, optionsAt } = await openTabs();
    const browser = browse();
    const first = await useLink(browser, 'i-bob');
    for (let tab = 0; tab < 30; tab++) await optionsAt(browser, '/login/passkey/options');
    expect(browser.cookies.size).toBe(10);
    expect((await browser.get(first)).location).toBe('/login');
    const answer = await browser.send('POST', '/login/passkey/options');
    expect(answer.setCookies.at(-1)).toMatch(
      /^sign-in-[\w-]{43}=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/,
    );
  });

  test('looks up few of many cookies, and ends few at once', async () => {
    const { browse, store } = await openTabs();
    const { find } = store.pendingSignIns;
    let found = 0;
    Object.assign(store.pendingSignIns, {
      find: (...given: Parameters<typeof find>) => {
        found += 1;
        return find(...given);
      },
    });
    const headers = { cookie: Array.from({ length: 1_000 }, (_, tab) => `sign-in-${tab}=x`).join('; ') };
    expect((await browse().send('GET', '/login/second-factor', { headers })).location).toBe('/login');
    expect(found).toBe(10);
    const { status, setCookies } = await browse().send('POST', '/login/passkey/options', { headers });
    expect([status, setCookies.length]).toEqual([200, 2]);
  });

  test.each(['x', '../session', '__proto__', 'a=b; c', 'é', ''])('gets nothing by the state %j', async (state) => {
    const { browse } = await openTabs();
    const browser = browse();
    expect((await browser.get(`/login/enrolment?state=${encodeURIComponent(state)}`)).location).toBe('/login');
    expect(
      (await browser.post(`/login/passkey`, { credential: JSON.stringify({ response: { clientDataJSON: state } }) }))
        .status,
    ).toBe(401);
  });
});
