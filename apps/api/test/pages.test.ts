import { UI_TEXT_LENGTH_MAX } from '@access-admin/contract';
import { describe, expect, test } from 'vitest';
import { ORIGIN, openBrowser, type ReceivedPage } from './browser.ts';
import { openTestApi, type TestApi, WORLD } from './test-api.ts';
import { openSession } from './test-session.ts';

const EXPERIMENTAL = { 'x-service-experimental': 'true' };
const NAMED = 'http://localhost:8080';

/** A page as it is at an origin. */
const get = (api: TestApi, path: string, origin = ORIGIN, headers: Record<string, string> = {}) =>
  openBrowser(api, { origin }).get(path, headers);

const setMetadata = async (api: TestApi, body: object) => {
  const answer = await api.call('PUT', '/ui-metadata/v1/tenant', { headers: EXPERIMENTAL, body });
  expect(answer.status).toBe(200);
};

const policyOf = ({ headers }: Pick<ReceivedPage, 'headers'>) =>
  headers.get('content-security-policy')?.split('; ') ?? [];

describe('a page', () => {
  test('has a policy that allows neither inline content nor other origins, and cannot be framed', async () => {
    const api = await openTestApi({ baseAddress: NAMED });
    const page = await get(api, '/login', NAMED);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(policyOf(page)).toEqual([
      "default-src 'none'",
      "style-src 'self'",
      "script-src 'self'",
      "connect-src 'self'",
      "img-src 'self'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ]);
    expect(page.headers.get('x-frame-options')).toBe('DENY');
    expect(page.headers.get('referrer-policy')).toBe('same-origin');
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.text).not.toMatch(/<style|\sstyle=|\son\w+=|javascript:|<script(?![^>]*\ssrc="\/assets\/)/i);
  });

  test('may be framed by its own origin and those of the whitelist, from the next request on', async () => {
    const api = await openTestApi();
    await setMetadata(api, { iFrameWhitelist: 'https://portal.example *.intra.example:8443' });
    const page = await get(api, '/login');
    expect(policyOf(page)).toContain("frame-ancestors 'self' https://portal.example *.intra.example:8443");
    expect(page.headers.get('x-frame-options')).toBeNull();
    await setMetadata(api, { iFrameWhitelist: null });
    expect(policyOf(await get(api, '/login'))).toContain("frame-ancestors 'none'");
  });

  test('loads a style and a script that are cached for ever, and change their path with their content', async () => {
    const api = await openTestApi({ baseAddress: NAMED });
    const { text } = await get(api, '/login', NAMED);
    const paths = [...text.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path]) => path ?? '');
    expect(paths).toEqual([
      expect.stringMatching(/^\/assets\/pages\.[0-9a-f]{16}\.css$/),
      expect.stringMatching(/^\/assets\/passkeys\.[0-9a-f]{16}\.js$/),
    ]);
    for (const path of paths) {
      const { status, headers } = await get(api, path);
      expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
      expect(headers.get('content-type')).toBe(
        path.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8',
      );
    }
  });

  test('has an icon, which browsers also ask for on their own', async () => {
    const api = await openTestApi();
    expect((await get(api, '/login')).text).toContain('<link rel="icon" href="/favicon.ico"');
    const { status, headers, text } = await get(api, '/favicon.ico');
    expect([status, headers.get('content-type'), text]).toEqual([
      200,
      'image/svg+xml',
      expect.stringMatching(/^<svg /),
    ]);
  });

  test('binds a host that is reached by https to https', async () => {
    const api = await openTestApi({ baseAddress: 'https://access.example' });
    const page = await get(api, '/login', 'https://access.example');
    expect([page.status, page.headers.get('strict-transport-security')]).toEqual([200, 'max-age=31536000']);
  });

  test('of a tenant is at the host of the tenant, and no page is at other hosts', async () => {
    const api = await openTestApi({ baseAddress: 'https://{tenant}.access.example' });
    const root = await api.call('GET', '/login', { token: null });
    expect([root.status, root.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  });

  test('answers other methods with a page and Allow', async () => {
    const api = await openTestApi();
    for (const method of ['PUT', 'DELETE', 'PROPFIND']) {
      const answer = await api.call(method, '/login', { token: null, headers: { origin: ORIGIN } });
      expect([answer.status, answer.headers.get('content-type')]).toEqual([405, 'text/html; charset=utf-8']);
      expect(answer.headers.get('allow')).toContain('GET, HEAD');
      expect(policyOf(answer)).toContain("frame-ancestors 'none'");
    }
  });

  test('is refused beyond the rate of an address, with a page', async () => {
    const api = await openTestApi({ rateLimit: { requests: 2, windowSeconds: 2 } });
    for (const status of [200, 200, 429]) expect((await get(api, '/login')).status).toBe(status);
    const refused = await get(api, '/login');
    expect(refused.headers.get('retry-after')).toMatch(/^[12]$/);
    expect(refused.text).toContain('<h1>Too many requests</h1>');
    await expect.poll(async () => (await get(api, '/login')).status, { timeout: 5_000 }).toBe(200);
  });
});

describe('the sign-in page', () => {
  test('shows the label and the placeholder of the tenant as soon as they are set', async () => {
    const api = await openTestApi();
    expect((await get(api, '/login')).text).toContain('>Username</label>');
    await setMetadata(api, { usernameLabel: 'Staff number', usernameEmptyText: 'for example 4711' });
    const { text } = await get(api, '/login');
    expect(text).toContain('<label class="label" for="username" dir="auto">Staff number</label>');
    expect(text).toMatch(/id="username"[^>]*placeholder="for example 4711"/);
  });

  test('escapes them', async () => {
    const api = await openTestApi();
    const evil = `"><script>alert('x')</script>&`;
    await setMetadata(api, { usernameLabel: evil, usernameEmptyText: evil });
    const { text } = await get(api, '/login');
    expect(text).not.toContain('<script>alert');
    expect(text.split('&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;')).toHaveLength(3);
  });

  test('keeps the longest label', async () => {
    const api = await openTestApi();
    await setMetadata(api, { usernameLabel: 'Ü'.repeat(UI_TEXT_LENGTH_MAX) });
    expect((await get(api, '/login')).text).toContain('Ü'.repeat(UI_TEXT_LENGTH_MAX));
  });

  test.each([
    ['/account?a=b', '/account?a=b'],
    ['//evil.example', '/'],
    ['https://evil.example', '/'],
    ['/\\evil.example', '/'],
    ['/%2fevil.example', '/'],
    ['"><script>', '/'],
  ])('given to=%s leads to %s', async (to, kept) => {
    const api = await openTestApi();
    const { text } = await get(api, `/login?to=${encodeURIComponent(to)}`);
    expect(text).toContain(`<input type="hidden" name="to" value="${kept}"/>`);
  });

  test('in a frame offers no passkeys and runs no script', async () => {
    const api = await openTestApi({ baseAddress: NAMED });
    const { text } = await get(api, '/login', NAMED, { 'sec-fetch-dest': 'iframe' });
    expect(text).not.toMatch(/<script|passkey/);
    expect(text).toContain('name="password"');
  });
});

test('/ leads to the sign-in page', async () => {
  const api = await openTestApi();
  const { status, location } = await get(api, '/');
  expect([status, location]).toEqual([303, '/login?to=%2F']);
});

describe('a page that is opened at another host', () => {
  const led = async (api: TestApi, path: string, host: string) => {
    const { status, location, text } = await openBrowser(api, { headers: { host } }).get(path);
    expect(text).not.toContain('password');
    return [status, location];
  };

  test.each(['access.example', 'access.example:8443', 'localhost:8080', '203.0.113.7', 'evil.example'])(
    'such as %s leads to the base address before it asks for anything',
    async (host) => {
      const api = await openTestApi({ baseAddress: 'https://access.example:9443' });
      const base = 'https://access.example:9443';
      expect(await led(api, '/login?to=%2Faccount', host)).toEqual([303, `${base}/login?to=%2Faccount&base-address=`]);
      for (const path of ['/', '/account', '/sign-in-link/x', '/login/second-factor'])
        expect(await led(api, path, host)).toEqual([303, `${base}${path}?base-address=`]);
      // A proxy that passes on another host than that which the browser has makes no circle.
      const again = await openBrowser(api, { headers: { host } }).get('/login?to=%2F&base-address=');
      expect([again.status, again.text.includes('name="password"')]).toEqual([200, true]);
      const posted = await openBrowser(api, { origin: `https://${host}` }).post('/login', { username: 'ada' });
      expect([posted.status, posted.text.includes(base)]).toEqual([403, true]);
    },
  );

  test('stays where its session lives, as only a proxy can have changed the host', async () => {
    const api = await openTestApi({ baseAddress: 'https://access.example' });
    await api.importRecords(WORLD);
    const { token } = await openSession(api, 'i-ada');
    const browser = openBrowser(api, { headers: { host: '10.0.0.7:8080' } });
    browser.cookies.set('__Host-session', token);
    expect((await browser.get('/account')).status).toBe(200);
  });

  test('without a host is shown', async () => {
    const api = await openTestApi();
    expect((await api.app.request('/login')).status).toBe(200);
  });
});
