import { createHash } from 'node:crypto';
import { generateKeyPair } from 'jose';
import { describe, expect, test } from 'vitest';
import type { OidcApplication } from '../src/sign-in/factors/applications.ts';
import { type Browser, headingOf } from './browser.ts';
import { openFakeProvider } from './fake-provider.ts';
import { openPeople, type PeopleOptions } from './sign-in-people.ts';

const MINUTE_MS = 60_000;
const CLIENT_SECRET = 'a secret of the client';

const applicationOf = (id: string, issuer: string): OidcApplication => ({
  ...({ id, name: `Provider ${id}`, kind: 'oidc', tenants: ['default'], issuer, clientId: 'access-admin' } as const),
  clientSecret: CLIENT_SECRET,
  usernameClaim: 'preferred_username',
  scopes: 'openid profile',
});

interface WorldOptions {
  readonly application?: Partial<OidcApplication>;
  readonly authProfile?: PeopleOptions['authProfile'];
  readonly config?: PeopleOptions['config'];
}

/** People of the provider `own`, beside a provider `other`. */
async function openWorld({ application = {}, authProfile = {}, config = {} }: WorldOptions = {}) {
  const own = await openFakeProvider();
  const other = await openFakeProvider();
  const signInApplications = [
    { ...applicationOf('own', own.issuer), ...application },
    applicationOf('other', other.issuer),
  ];
  const people = await openPeople({
    authProfile: { type: 'PTA', applicationId: 'own', ...authProfile },
    config: { signInApplications, ...config },
  });
  /** Begins at an application; returns what its provider was asked. */
  const begin = async (browser: Browser, id = 'own') => {
    const started = await browser.get(`/login/application/${id}?to=%2Faccount`);
    return new URL(started.location ?? 'http://none.invalid').searchParams;
  };
  /** Begins, and makes the answer of the provider: an ID token of these claims, and this path to come back by. */
  const prepare = async (browser: Browser, claims: object = {}) => {
    const asked = await begin(browser);
    own.claims = { nonce: asked.get('nonce'), preferred_username: 'ada', ...claims };
    const query = new URLSearchParams({ code: 'c', state: asked.get('state') ?? '', iss: own.issuer });
    return `/login/application/own/callback?${query}`;
  };
  /** A whole sign-in, in a browser of its own. */
  const signIn = async (claims?: object) => {
    const browser = people.browse();
    return { ...(await browser.get(await prepare(browser, claims))), browser };
  };
  return { ...people, own, other, begin, prepare, signIn };
}

test('a provider signs in the identity that it names, by a code with PKCE, state and nonce', async () => {
  const { browse, begin, signIn, own } = await openWorld();
  const page = await browse().get('/login?to=%2Faccount');
  expect(page.text).toContain('href="/login/application/own?to=%2Faccount"');
  const first = await begin(browse());
  const asked = await begin(browse());
  const redirectUri = 'http://127.0.0.1:8080/login/application/own/callback';
  expect(Object.fromEntries(asked)).toMatchObject({
    response_type: 'code',
    client_id: 'access-admin',
    code_challenge_method: 'S256',
    scope: 'openid profile',
    redirect_uri: redirectUri,
  });
  for (const name of ['state', 'nonce', 'code_challenge']) {
    expect(asked.get(name)?.length).toBeGreaterThan(40);
    expect(asked.get(name)).not.toBe(first.get(name));
  }
  const done = await signIn({ preferred_username: 'ADA' });
  expect([done.status, done.location]).toEqual([303, '/account']);
  const current = await done.browser.get('/sessions/v1/current');
  expect(JSON.parse(current.text)).toMatchObject({ identityId: 'i-ada', factors: ['APPLICATION'] });
  const [sent, ...more] = own.tokenRequests;
  expect(more).toEqual([]);
  expect(Object.fromEntries(sent ?? [])).toMatchObject({
    grant_type: 'authorization_code',
    code: 'c',
    client_id: 'access-admin',
    client_secret: CLIENT_SECRET,
    redirect_uri: redirectUri,
  });
});

test('a sign-in by a provider begins at the base address, where it leads back to', async () => {
  const { browse, begin } = await openWorld();
  const elsewhere = browse({ origin: 'http://localhost:8080' });
  const led = await elsewhere.get('/login/application/own?to=%2Faccount');
  const path = '/login/application/own?to=%2Faccount';
  expect([led.status, led.location, led.setCookies]).toEqual([303, `http://127.0.0.1:8080${path}`, []]);
  expect((await begin(browse())).get('redirect_uri')).toBe('http://127.0.0.1:8080/login/application/own/callback');
});

test('a code may have 2,500 characters, and more', async () => {
  const { browse, prepare, own } = await openWorld();
  for (const length of [2_500, 7_000]) {
    const browser = browse();
    const code = 'c'.repeat(length);
    const path = (await prepare(browser)).replace('code=c', `code=${code}`);
    expect([length, (await browser.get(path)).location]).toEqual([length, '/account']);
    expect(own.tokenRequests.at(-1)?.get('code')).toBe(code);
  }
});

test('two tabs of one browser are each signed in, in any order, and what one does in between ends neither', async () => {
  const { browse, begin, logIn, own } = await openWorld();
  const openTab = async (browser: Browser) => {
    const asked = await begin(browser);
    const query = new URLSearchParams({ code: 'c', state: asked.get('state') ?? '', iss: own.issuer });
    return { path: `/login/application/own/callback?${query}`, nonce: asked.get('nonce') };
  };
  for (const order of [
    [0, 1],
    [1, 0],
  ]) {
    const browser = browse();
    const tabs = [await openTab(browser), await openTab(browser)];
    await logIn(browser, 'bob', { password: 'wrong' });
    for (const tab of order) {
      own.claims = { nonce: tabs[tab]?.nonce, preferred_username: 'ada' };
      const answer = await browser.get(tabs[tab]?.path ?? '');
      expect([order, tab, answer.status, answer.location]).toEqual([order, tab, 303, '/account']);
    }
    // Each is answered once.
    expect((await browser.get(tabs[0]?.path ?? '')).status).toBe(401);
    expect([...browser.cookies.keys()]).toEqual(['session']);
  }
});

test('the verifier of PKCE is that of the challenge', async () => {
  const { browse, begin, own } = await openWorld();
  const browser = browse();
  const asked = await begin(browser);
  const query = new URLSearchParams({ code: 'c', state: asked.get('state') ?? '', iss: own.issuer });
  await browser.get(`/login/application/own/callback?${query}`);
  const verifier = own.tokenRequests[0]?.get('code_verifier') ?? '';
  expect(createHash('sha256').update(verifier).digest('base64url')).toBe(asked.get('code_challenge'));
});

describe('an ID token signs nobody in', () => {
  test('that was issued for another client, by another issuer or for another sign-in', async () => {
    const { signIn } = await openWorld();
    const refused: readonly object[] = [
      { aud: 'another' },
      { aud: undefined },
      { aud: ['access-admin', 'another'] },
      { aud: ['access-admin', 'another'], azp: 'another' },
      { iss: 'http://127.0.0.1:1' },
      { nonce: 'of another sign-in' },
      { nonce: undefined },
      { sub: undefined },
    ];
    for (const claims of refused) expect([claims, (await signIn(claims)).status]).toEqual([claims, 401]);
  });

  test('outside of its time; clocks may differ by a minute', async () => {
    const { signIn, own } = await openWorld();
    for (const claims of [{ exp: undefined }, { exp: 'later' }, { iat: 'now' }])
      expect([claims, (await signIn(claims)).status]).toEqual([claims, 401]);
    // A token is valid for a minute from when it is issued.
    for (const [aheadSeconds, status] of [
      [-150, 401],
      [-90, 303],
      [30, 303],
      [90, 401],
    ] as const) {
      own.aheadSeconds = aheadSeconds;
      expect([aheadSeconds, (await signIn()).status]).toEqual([aheadSeconds, status]);
    }
  });

  test('with a signature of a key that is not of the provider, or without one', async () => {
    const { signIn, own } = await openWorld();
    own.algorithm = 'none';
    expect((await signIn()).status).toBe(401);
    own.algorithm = 'HS256';
    own.key = Buffer.from(CLIENT_SECRET.padEnd(32, ' '));
    expect((await signIn()).status).toBe(401);
    own.algorithm = 'RS256';
    own.key = (await generateKeyPair('RS256')).privateKey;
    expect((await signIn()).status).toBe(401);
  });

  test('that names no identity by a text', async () => {
    const { signIn } = await openWorld();
    const names = [undefined, null, ['ada'], { ada: 1 }, '', 'unknown', 'ada\0', '\ud800', 'a'.repeat(10_000)];
    for (const name of names) expect([name, (await signIn({ preferred_username: name })).status]).toEqual([name, 401]);
  });

  test('that names an email address which the provider has not verified', async () => {
    const { signIn } = await openWorld({ application: { usernameClaim: 'email' } });
    for (const verified of [undefined, false, 'true', 1])
      expect([verified, (await signIn({ email: 'ada', email_verified: verified })).status]).toEqual([verified, 401]);
    expect((await signIn({ email: 'ada', email_verified: true })).status).toBe(303);
  });
});

test('claims that are not in the ID token are read from the provider, for the same subject alone', async () => {
  const { signIn, own } = await openWorld();
  const nameless = { preferred_username: undefined };
  own.userInfo = { sub: 's-1', preferred_username: 'ada' };
  expect((await signIn(nameless)).status).toBe(303);
  own.userInfo = { sub: 's-2', preferred_username: 'ada' };
  expect((await signIn(nameless)).status).toBe(401);
  own.userInfo = { sub: 's-1' };
  expect((await signIn(nameless)).status).toBe(401);
  // A claim of the ID token is not replaced.
  own.userInfo = { sub: 's-1', preferred_username: 'ada' };
  expect((await signIn({ preferred_username: 'unknown' })).status).toBe(401);
});

describe('the answer of a provider', () => {
  test('counts once', async () => {
    const { browse, prepare, own } = await openWorld();
    const browser = browse();
    const path = await prepare(browser);
    const pending = [...browser.cookies];
    const answers = await Promise.all([browser.get(path), browser.get(path)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 401]);
    for (const [name, value] of pending) browser.cookies.set(name, value);
    browser.cookies.delete('session');
    expect((await browser.get(path)).status).toBe(401);
    expect(own.tokenRequests).toHaveLength(1);
  });

  test('counts for the browser and the state of its sign-in alone, for ten minutes', async () => {
    const { browse, prepare, own, clock } = await openWorld();
    const victim = browse();
    await prepare(victim);
    const attacker = browse();
    const path = await prepare(attacker);
    expect((await browse().get(path)).status).toBe(401);
    expect((await victim.get(path)).status).toBe(401);
    expect((await attacker.get(path.replace('state=', 'state=x'))).status).toBe(401);
    clock.nowMs += 11 * MINUTE_MS;
    expect((await attacker.get(path)).status).toBe(401);
    expect(own.tokenRequests).toEqual([]);
  });

  test('counts for its provider alone (mix-up)', async () => {
    const { browse, prepare, own, other } = await openWorld();
    const mixes: readonly ((path: string) => string)[] = [
      (path) => path.replace('/own/', '/other/'),
      (path) => path.replace(encodeURIComponent(own.issuer), encodeURIComponent(other.issuer)),
      (path) => path.replace(/&iss=[^&]*/, ''),
      (path) => `${path}&code=another`,
      (path) => `${path}&iss=${encodeURIComponent(other.issuer)}`,
      (path) => path.replace('code=c', 'code='),
    ];
    for (const mix of mixes) {
      const browser = browse();
      const path = mix(await prepare(browser));
      expect([path, (await browser.get(path)).status]).toEqual([path, 401]);
    }
    // An empty code is the only one of these that the protocol lets through to the provider.
    expect(other.tokenRequests).toEqual([]);
    expect(own.tokenRequests.filter((sent) => sent.get('code') !== '')).toEqual([]);
  });

  test('leads to own paths alone', async () => {
    const { browse, own } = await openWorld();
    for (const to of ['//evil.example', 'https://evil.example', '/\\evil.example', '/a\r\nSet-Cookie: x=1']) {
      const browser = browse();
      const started = await browser.get(`/login/application/own?to=${encodeURIComponent(to)}`);
      const asked = new URL(started.location ?? '').searchParams;
      own.claims = { nonce: asked.get('nonce'), preferred_username: 'ada' };
      const query = new URLSearchParams({ code: 'c', state: asked.get('state') ?? '', iss: own.issuer });
      const done = await browser.get(`/login/application/own/callback?${query}`);
      expect([to, done.status, done.location]).toEqual([to, 303, '/']);
    }
  });
});

test('another provider signs in nobody whose auth profile names this one, and locks nobody', async () => {
  const { browse, begin, other, signIn } = await openWorld();
  for (let attempt = 0; attempt < 6; attempt++) {
    const browser = browse();
    const asked = await begin(browser, 'other');
    other.claims = { nonce: asked.get('nonce'), preferred_username: 'ada' };
    const query = new URLSearchParams({ code: 'c', state: asked.get('state') ?? '', iss: other.issuer });
    expect((await browser.get(`/login/application/other/callback?${query}`)).status).toBe(401);
  }
  expect(other.tokenRequests).toHaveLength(6);
  expect((await signIn()).status).toBe(303);
});

test('a profile of another type is not signed in by the application that it still names', async () => {
  const { signIn } = await openWorld({ authProfile: { type: 'NON_PTA' } });
  expect((await signIn()).status).toBe(401);
});

test('an error of the provider is a failed sign-in, or the page of a provider that is away', async () => {
  const { browse, prepare, signIn, own, audited } = await openWorld();
  const comeBack = async (error: string) => {
    const browser = browse();
    const path = await prepare(browser);
    return browser.get(path.replace('code=c', `error=${error}&error_description=%3Cb%3E`));
  };
  const denied = await comeBack('access_denied');
  expect([denied.status, headingOf(denied)]).toEqual([401, 'Sign in']);
  expect(denied.text).not.toContain('<b>');
  const away = await comeBack('server_error');
  expect([away.status, headingOf(away), away.headers.get('retry-after')]).toEqual([
    503,
    'Sign-in is not available',
    '5',
  ]);
  own.answers.set('/token', { status: 400, body: { error: 'invalid_grant' } });
  expect((await signIn()).status).toBe(401);
  for (const answer of [
    { status: 401, body: { error: 'invalid_client' } },
    { status: 500, body: '<html>' },
    { status: 302, body: {} },
  ]) {
    own.answers.set('/token', answer);
    expect([answer, (await signIn()).status]).toEqual([answer, 503]);
  }
  const [failure, ...more] = await audited('sign-in');
  expect(failure).toMatchObject({ outcome: 'DENIED', resource: { type: 'AUTH_USER', id: null } });
  // The second failure is counted with the first.
  expect(more).toHaveLength(1);
});

test('a provider that is away or is another one makes a page of its own, until it is back', async () => {
  const { browse, begin, prepare, own, lines, metrics } = await openWorld();
  const metadata = '/.well-known/openid-configuration';
  own.answers.set(metadata, { status: 500, body: '' });
  const start = () => browse().get('/login/application/own');
  expect((await start()).status).toBe(503);
  own.answers.set(metadata, { status: 200, body: { issuer: 'https://another.example' } });
  expect((await start()).status).toBe(503);
  own.answers.delete(metadata);
  expect((await begin(browse())).get('client_id')).toBe('access-admin');
  const browser = browse();
  const path = await prepare(browser);
  own.server.close();
  own.server.closeAllConnections();
  const away = await browser.get(path);
  expect([away.status, headingOf(away)]).toEqual([503, 'Sign-in is not available']);
  const told = lines.filter(({ message }) => message.startsWith('a provider'));
  expect(told.map(({ fields }) => fields)).toEqual([
    expect.objectContaining({ application: 'own', reason: 'OAUTH_RESPONSE_IS_NOT_CONFORM' }),
    expect.objectContaining({ application: 'own', reason: 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED' }),
    expect.objectContaining({ application: 'own', reason: 'TypeError' }),
  ]);
  const counted = (await metrics.render()).text.match(/^access_admin_unanswered_sign_ins_total.*$/gm);
  expect(counted?.map((line) => line.replace(/^\w+/, ''))).toEqual([
    '{application="own"} 3',
    '{application="other"} 0',
  ]);
});

test('blocks and locks hold after a provider, too, and are recorded without what was sent', async () => {
  const { browse, logIn, signIn, audited, importRecords } = await openWorld();
  for (let attempt = 0; attempt < 5; attempt++) await logIn(browse(), 'cleo', { password: 'wrong' });
  expect((await signIn({ preferred_username: 'cleo' })).status).toBe(401);
  expect((await signIn({ preferred_username: 'bob' })).status).toBe(303);
  const blocked = { type: 'BLOCK', applicationId: 'own' };
  await importRecords([
    { kind: 'identityProfile', id: 'ip-b', name: 'Blocked', authProfile: blocked },
    { kind: 'identity', id: 'i-bob', uid: 'bob', displayName: 'Bob', identityProfile: 'ip-b' },
  ]);
  expect((await signIn({ preferred_username: 'bob' })).status).toBe(401);
  expect(await audited('sign-in-blocked')).toMatchObject([{ resource: { id: 'i-bob' } }]);
  expect(JSON.stringify(await audited('sign-in'))).not.toMatch(/preferred_username|"wrong"|"c"/);
});

test('a HEAD request neither begins nor ends a sign-in by a provider', async () => {
  const { browse, prepare, own } = await openWorld();
  const browser = browse();
  const started = await browser.send('HEAD', '/login/application/own?to=%2Faccount');
  expect([started.status, started.headers.get('allow'), started.setCookies]).toEqual([405, 'GET', []]);
  const path = await prepare(browser);
  const ended = await browser.send('HEAD', path);
  expect([ended.status, ended.headers.get('allow'), ended.setCookies]).toEqual([405, 'GET', []]);
  expect(own.tokenRequests).toHaveLength(0);
  expect((await browser.get(path)).location).toBe('/account');
  expect((await browser.send('POST', path)).headers.get('allow')).toBe('GET');
});

test('each tenant has its own providers, at the address of its host', async () => {
  const { browse, own } = await openWorld({ config: { baseAddress: 'http://{tenant}.localhost:8080' } });
  const at = (tenant: string) => browse({ headers: { host: `${tenant}.localhost:8080` } });
  expect((await at('acme').get('/login/application/own')).status).toBe(404);
  expect((await at('acme').get('/login')).text).not.toContain('/login/application/');
  const browser = at('default');
  const started = await browser.get('/login/application/own');
  const asked = new URL(started.location ?? '').searchParams;
  expect(asked.get('redirect_uri')).toBe('http://default.localhost:8080/login/application/own/callback');
  own.claims = { nonce: asked.get('nonce'), preferred_username: 'ada' };
  const query = new URLSearchParams({ code: 'c', state: asked.get('state') ?? '', iss: own.issuer });
  const path = `/login/application/own/callback?${query}`;
  const elsewhere = at('acme');
  for (const [name, value] of browser.cookies) elsewhere.cookies.set(name, value);
  expect((await elsewhere.get(path)).status).toBe(404);
  expect((await browser.get(path)).status).toBe(303);
});

test('no provider is offered or begun in a frame, and an unknown one is not found', async () => {
  const { browse } = await openWorld();
  const framed = { 'sec-fetch-dest': 'iframe' };
  const refused = await browse().get('/login/application/own', framed);
  expect([refused.status, headingOf(refused), refused.setCookies]).toEqual([403, 'Sign in outside of this frame', []]);
  expect((await browse().get('/login', framed)).text).not.toContain('/login/application/');
  for (const id of ['none', '..', '%00', 'own%2F..']) {
    expect([id, (await browse().get(`/login/application/${id}`)).status]).toEqual([id, 404]);
    expect([id, (await browse().get(`/login/application/${id}/callback?code=c`)).status]).toEqual([id, 404]);
  }
  expect((await browse().post('/login/application/own')).status).toBe(405);
});
