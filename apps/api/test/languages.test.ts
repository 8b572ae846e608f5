import { globSync } from 'node:fs';
import { join } from 'node:path';
import { findTextFaults, type PageTexts } from '@access-admin/languages';
import { describe, expect, test } from 'vitest';
import { alertOf, headingOf, ORIGIN, openBrowser, type ReceivedPage } from './browser.ts';
import { openPeople, PASSWORD } from './sign-in-people.ts';
import { openTestApi } from './test-api.ts';

const SOURCES = join(import.meta.dirname, '../src');

test('the languages of every catalogue have the same keys and values, and their own plural forms', async () => {
  const files = globSync('**/texts.ts', { cwd: SOURCES });
  expect(files.length).toBeGreaterThan(2);
  const faults = await Promise.all(
    files.map(async (file) => {
      const exported: Readonly<Record<string, PageTexts<string>>> = await import(join(SOURCES, file));
      return Object.values(exported).flatMap((texts) => findTextFaults(texts).map((fault) => `${file}: ${fault}`));
    }),
  );
  expect(faults.flat()).toEqual([]);
});

const languageOf = ({ text }: ReceivedPage): string | null => /<html lang="([^"]*)">/.exec(text)?.[1] ?? null;
const german = { headers: { 'accept-language': 'de-CH,de;q=0.9,en;q=0.8' } };

describe('a page is in the language', () => {
  test.each([
    ['de-AT,de;q=0.9,en;q=0.5', 'de'],
    ['fr-CH, vi;q=0.3, de;q=0.2', 'vi'],
    ['de;q=0.2, EN-gb;q=0.7', 'en'],
    ['fr, it', 'en'],
    ['', 'en'],
  ])('that a browser with Accept-Language %s prefers: %s', async (accepted, language) => {
    const api = await openTestApi();
    const page = await openBrowser(api, { headers: { 'accept-language': accepted } }).get('/login');
    expect([page.status, languageOf(page)]).toEqual([200, language]);
  });

  test.each([
    ['a hundred thousand tags', 'de-DE,'.repeat(2_000).slice(0, 12_000), 'de'],
    ['a very long tag', 'd'.repeat(12_000), 'en'],
    ['nothing that is allowed', '*;q=0', 'en'],
    ['a language that is refused', 'de;q=0, vi;q=0.1', 'vi'],
    ['separators alone', ',;,=;q=,"', 'en'],
    ['a tag that Intl refuses', 'de-x-"><script>, en', 'de'],
    ['qualities that are no numbers', 'de;q=NaN, vi;q=-1, en;q=1e9', 'en'],
    ['a name of every object', 'constructor, __proto__', 'en'],
  ])('English, or one that is there, where Accept-Language has %s', async (_, accepted, language) => {
    const api = await openTestApi();
    const page = await openBrowser(api, { headers: { 'accept-language': accepted } }).get('/account/confirm');
    expect(page.status).toBe(303);
    const shown = await openBrowser(api, { headers: { 'accept-language': accepted } }).get('/login');
    expect([shown.status, languageOf(shown)]).toEqual([200, language]);
    expect(shown.text).not.toContain('"><script>');
  });

  test('of the browser from the refused sign-in to the account, with numbers and times as in its country', async () => {
    const { browse, logIn, setPassword, linkFor, clock } = await openPeople();
    const browser = browse(german);
    const link = await browser.get(await linkFor('i-ada'));
    expect([languageOf(link), headingOf(link)]).toEqual(['de', 'Anmeldung einrichten']);
    expect(link.text).toContain(
      'Dieser Link ist für <strong>Ada L.</strong> (Benutzername <strong>Ada</strong>). Er gilt einmal.',
    );
    await setPassword('i-ada');
    expect(alertOf(await logIn(browser, 'ada', { password: 'not that one' }))).toMatch(
      /^Sie konnten nicht angemeldet werden\./,
    );
    await logIn(browser, 'ada');
    const account = await browser.get('/account');
    expect(headingOf(account)).toBe('Ihr Konto');
    expect(new Date(clock.nowMs).toISOString()).toMatch(/^2026-11-21T09:30/);
    expect(account.text).toContain('>21. Nov. 2026, 09:30 UTC</time>');
    const changed = await browser.post('/account/password', { password: 'short', repeated: 'short' });
    expect(alertOf(changed)).toBe('Das Passwort ist zu kurz: Es braucht mindestens 12 Zeichen.');
  });

  test('of the browser where a request is refused, and answers to programs stay in English', async () => {
    const api = await openTestApi();
    const browser = openBrowser(api, german);
    const missing = await browser.get('/sign-in-link/never-made');
    expect(headingOf(missing)).toBe('Dieser Link gilt nicht mehr');
    expect(missing.text).toContain('bitten Sie Ihren Administrator um einen neuen Link');
    expect(headingOf(await browser.send('PUT', '/login'))).toBe('Diese Seite nimmt eine solche Anfrage nicht an');
    const foreign = await browser.post('/login', {}, { origin: 'https://evil.example' });
    expect([foreign.status, foreign.text.includes(`Öffnen Sie ${ORIGIN}, und beginnen Sie dort`)]).toEqual([403, true]);
    const answer = JSON.parse((await browser.get('/sessions/v1/current')).text);
    expect(answer.messages[0]).toMatchObject({ locale: 'en-US', text: expect.stringMatching(/^The request has no/) });
  });
});

describe('a language that is chosen', () => {
  const choose = { language: 'vi', to: '/login?to=%2Faccount' };

  test('is kept by the browser for a year, shows the same page again, and survives the sign-in', async () => {
    const { browse, logIn, setPassword } = await openPeople();
    await setPassword('i-ada');
    const browser = browse(german);
    const login = await browser.get('/login?to=%2Faccount');
    expect(login.text).toContain('<input type="hidden" name="to" value="/login?to=%2Faccount"/>');
    expect(login.text).toMatch(/value="de" lang="de" aria-current="true">Deutsch</);
    const chosen = await browser.post('/language', choose);
    expect([chosen.status, chosen.location]).toEqual([303, '/login?to=%2Faccount']);
    expect(chosen.setCookies).toEqual(['language=vi; Path=/; Max-Age=31536000; SameSite=Lax']);
    expect(languageOf(await browser.get('/login'))).toBe('vi');
    await logIn(browser, 'ada');
    expect(headingOf(await browser.get('/account'))).toBe('Tài khoản của bạn');
    const out = await browser.post('/sign-out');
    expect(headingOf(await browser.get(out.location ?? ''))).toBe('Đăng nhập');
  });

  test('is kept for the frame alone in a frame, and by https alone at https', async () => {
    const address = 'https://access.example';
    const api = await openTestApi({ baseAddress: address });
    const browser = openBrowser(api, { origin: address });
    expect((await browser.post('/language', choose)).setCookies[0]).toMatch(/; SameSite=Lax; Secure$/);
    const framed = await browser.post('/language', choose, { 'sec-fetch-dest': 'iframe' });
    expect(framed.setCookies[0]).toMatch(/; SameSite=None; Secure; Partitioned$/);
  });

  test('comes from a page of the service alone, and is one that there is', async () => {
    const browser = openBrowser(await openTestApi());
    const foreign = await browser.post('/language', choose, { origin: 'https://evil.example' });
    expect([foreign.status, foreign.setCookies]).toEqual([403, []]);
    for (const language of ['', 'xx', 'toString', 'de; Domain=evil.example']) {
      const refused = await browser.post('/language', { ...choose, language });
      expect([refused.status, refused.setCookies]).toEqual([400, []]);
    }
    expect(languageOf(await browser.get('/login', { cookie: 'language=xx"><script>' }))).toBe('en');
  });

  test.each(['https://evil.example/', '//evil.example', '/\\evil.example', 'login'])(
    'leads to pages of the service alone, not to %s',
    async (to) => {
      const browser = openBrowser(await openTestApi());
      expect((await browser.post('/language', { language: 'de', to })).location).toBe('/');
    },
  );

  test('is not offered where a page is shown once', async () => {
    const { browse, linkFor, codeOf } = await openPeople({ authProfile: { type: 'MFA' } });
    const browser = browse();
    await browser.post(await linkFor('i-ada'), { password: PASSWORD, repeated: PASSWORD });
    const enrolment = await browser.get('/login/enrolment');
    expect(enrolment.text).toContain('action="/language"');
    const secret = /name="secret" value="([A-Z2-7]+)"/.exec(enrolment.text)?.[1] ?? '';
    const codes = await browser.post('/login/enrolment', { secret, code: codeOf(secret) });
    expect(headingOf(codes)).toBe('Your recovery codes');
    expect(codes.text).not.toContain('action="/language"');
  });
});
