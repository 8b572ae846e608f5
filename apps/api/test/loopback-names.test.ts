import { describe, expect, test } from 'vitest';
import { openBrowser } from './browser.ts';
import { openPeople, PASSWORD } from './sign-in-people.ts';
import { createSoftAuthenticator } from './soft-authenticator.ts';

const NAMES = ['http://localhost:8080', 'http://127.0.0.1:8080', 'http://[::1]:8080'];
const EXPERIMENTAL = { 'x-service-experimental': 'true' };

describe.each(NAMES)('where %s is the base address', (baseAddress) => {
  test.each(NAMES)('people sign in at %s and stay there', async (origin) => {
    const { browse, logIn, linkFor, api } = await openPeopleAt(baseAddress);
    const browser = browse({ origin });
    const used = await browser.post(await linkFor('i-ada'), { password: PASSWORD, repeated: PASSWORD });
    expect([used.status, used.location]).toEqual([303, '/']);
    await browser.post('/sign-out');
    for (const [path, location] of [
      ['/', '/login?to=%2F'],
      ['/account', '/login?to=/account'],
    ] as const)
      expect((await browser.get(path)).location).toBe(location);
    const page = await browser.get('/login');
    expect([page.status, page.text.includes('name="password"')]).toEqual([200, true]);
    const signedIn = await logIn(browser, 'ada', { to: '/account' });
    expect([signedIn.status, signedIn.location]).toEqual([303, '/account']);
    expect((await browser.get('/account')).status).toBe(200);
    // The session changes something by the API, from pages of this origin.
    const changed = await browser.send('PATCH', '/auth-org/v1/lockout-config', {
      body: JSON.stringify([{ op: 'replace', path: '/maximumAttempts', value: 7 }]),
      headers: { ...EXPERIMENTAL, origin, 'content-type': 'application/json-patch+json' },
    });
    expect([changed.status, JSON.parse(changed.text).maximumAttempts]).toEqual([200, 7]);
    expect((await browser.post('/sign-out')).location).toBe('/login?signed-out');
    expect(api.lines.filter(({ message }) => message === 'bug')).toEqual([]);
  });
});

const openPeopleAt = async (baseAddress: string) => {
  const people = await openPeople({ config: { baseAddress } });
  return { ...people, api: people };
};

test('another name that leads to this machine is no such name', async () => {
  const { browse, setPassword, logIn } = await openPeopleAt('http://127.0.0.1:8080');
  await setPassword('i-ada');
  for (const origin of [
    'http://evil.example:8080',
    'http://localhost.evil.example:8080',
    'http://127.0.0.2:8080',
    'http://localhost:8081',
    'https://localhost:8080',
    'http://a.localhost:8080',
  ]) {
    const browser = browse({ origin });
    const opened = await browser.get('/login');
    const isOwnHost = origin === 'https://localhost:8080';
    expect([origin, opened.status, opened.location]).toEqual([
      origin,
      ...(isOwnHost ? [200, null] : [303, 'http://127.0.0.1:8080/login?base-address=']),
    ]);
    expect([origin, (await logIn(browser, 'ada')).status]).toEqual([origin, 403]);
  }
});

test('a passkey is offered at localhost, and is one of localhost alone', async () => {
  const { browse, linkFor, logIn, api } = await openPeopleAt('http://127.0.0.1:8080');
  const origin = 'http://localhost:8080';
  const browser = browse({ origin });
  const link = await linkFor('i-ada');
  expect((await browser.get(link)).text).toContain('Create a passkey');
  const { challenge, rp } = JSON.parse((await browser.send('POST', `${link}/passkey/options`)).text);
  expect(rp.id).toBe('localhost');
  const authenticator = createSoftAuthenticator();
  const credential = JSON.stringify(authenticator.register({ origin, rpId: 'localhost', challenge }));
  expect((await browser.post(`${link}/passkey`, { credential })).location).toBe('/');
  const prove = async (place: { origin: string; rpId: string }) => {
    const other = openBrowser(api, { origin });
    const options = JSON.parse((await other.send('POST', '/login/passkey/options')).text);
    expect(options.rpId).toBe('localhost');
    const response = authenticator.authenticate({ ...place, challenge: options.challenge, counter: 1 });
    return (await other.post('/login/passkey', { credential: JSON.stringify(response) })).status;
  };
  expect(await prove({ origin: 'http://127.0.0.1:8080', rpId: 'localhost' })).toBe(401);
  expect(await prove({ origin: 'http://localhost:3000', rpId: 'localhost' })).toBe(401);
  expect(await prove({ origin, rpId: 'localhost' })).toBe(303);
  for (const numbered of ['http://127.0.0.1:8080', 'http://[::1]:8080']) {
    const other = browse({ origin: numbered });
    expect((await other.get('/login')).text).not.toContain('passkey');
    expect((await other.send('POST', '/login/passkey/options')).status).toBe(409);
    expect((await logIn(other, 'ada')).status).toBe(401);
  }
});
