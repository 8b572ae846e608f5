import { describe, expect, test } from 'vitest';
import { parseNetworks } from '../src/http/client-address.ts';
import type { PasswordJob } from '../src/sign-in/factors/password-threads.ts';
import { alertOf, headingOf } from './browser.ts';
import { openPeople, PASSWORD, secretOf } from './sign-in-people.ts';
import type { TestApi } from './test-api.ts';

const MINUTE_MS = 60_000;

describe('by a browser', () => {
  test('a link sets a password once, and signs in', async () => {
    const { browse, linkFor, logIn } = await openPeople();
    const path = await linkFor('i-ada');
    const browser = browse();
    for (const _ of ['GET changes nothing', 'again']) {
      const shown = await browser.get(path);
      expect([shown.status, headingOf(shown)]).toEqual([200, 'Set up your sign-in']);
    }
    const used = await browser.post(path, { password: PASSWORD, repeated: PASSWORD });
    expect([used.status, used.location]).toEqual([303, '/']);
    expect((await browser.get('/')).location).toBe('/account');
    expect((await browser.get('/account')).text).toContain('Ada L.');
    const again = await browse().post(path, { password: PASSWORD, repeated: PASSWORD });
    expect([again.status, headingOf(again)]).toEqual([404, 'This link no longer works']);
    const other = browse();
    const signedIn = await logIn(other, 'ADA', { to: '/account' });
    expect([signedIn.status, signedIn.location]).toEqual([303, '/account']);
    expect((await other.get('/account')).status).toBe(200);
  });

  test('a second factor is enrolled by the link, and demanded from then on', async () => {
    const { browse, linkFor, logIn, codeOf, clock } = await openPeople({ authProfile: { type: 'MFA' } });
    const first = browse();
    const used = await first.post(await linkFor('i-ada'), { password: PASSWORD, repeated: PASSWORD });
    expect(used.location).toMatch(/^\/login\/enrolment\?state=/);
    expect((await first.get('/account')).location).toBe('/login?to=/account');
    const secret = secretOf((await first.get('/login/enrolment')).text);
    const wrong = await first.post('/login/enrolment', { secret, code: '000000' });
    expect([wrong.status, secretOf(wrong.text)]).toEqual([400, secret]);
    const enrolled = await first.post('/login/enrolment', { secret, code: codeOf(secret) });
    expect([enrolled.status, headingOf(enrolled)]).toEqual([200, 'Your recovery codes']);
    const codes = [...enrolled.text.matchAll(/<li>([a-z2-7-]{19})<\/li>/g)].map(([, code]) => code ?? '');
    expect(new Set(codes).size).toBe(10);
    expect((await first.get('/account')).status).toBe(200);

    clock.nowMs += MINUTE_MS;
    const second = browse();
    expect((await logIn(second, 'ada')).location).toMatch(/^\/login\/second-factor\?state=/);
    expect((await second.get('/account')).location).toBe('/login?to=/account');
    const code = codeOf(secret);
    expect((await second.post('/login/second-factor', { code: '123456' })).status).toBe(401);
    expect((await second.post('/login/second-factor', { code })).location).toBe('/');
    expect((await second.get('/account')).status).toBe(200);

    // A code is used up, whoever sends it.
    const third = browse();
    await logIn(third, 'ada');
    expect((await third.post('/login/second-factor', { code })).status).toBe(401);
    const recoveryCode = (codes[0] ?? '').toUpperCase();
    expect((await third.post('/login/second-factor', { recoveryCode })).location).toBe('/');
    const fourth = browse();
    await logIn(fourth, 'ada');
    expect((await fourth.post('/login/second-factor', { recoveryCode })).status).toBe(401);
  });

  test('an enrolled second factor is demanded after a link, too, before the password is set', async () => {
    const { browse, linkFor, logIn, codeOf, clock, setPassword } = await openPeople();
    await setPassword('i-ada');
    const browser = browse();
    await logIn(browser, 'ada');
    const secret = secretOf((await browser.get('/account/authenticator')).text);
    await browser.post('/account/authenticator', { secret, code: codeOf(secret) });
    clock.nowMs += MINUTE_MS;

    const thief = browse();
    const path = await linkFor('i-ada');
    const password = 'another long sentence';
    expect((await thief.post(path, { password, repeated: password })).location).toMatch(
      /^\/login\/second-factor\?state=/,
    );
    expect((await thief.get('/account')).status).toBe(303);
    expect((await logIn(browse(), 'ada', { password })).status).toBe(401);
    expect((await browse().post(path, { password, repeated: password })).status).toBe(404);
    expect((await thief.post('/login/second-factor', { code: codeOf(secret) })).location).toBe('/');
    expect((await logIn(browse(), 'ada', { password })).status).toBe(303);
    expect((await logIn(browse(), 'ada')).status).toBe(401);
  });

  test('a user is locked after the failures of the lockout config, by second factors too, and then no password helps', async () => {
    const { browse, logIn, setPassword, clock, metrics } = await openPeople();
    await setPassword('i-ada');
    const wrong = () => logIn(browse(), 'ada', { password: 'wrong password' });
    const failed = await wrong();
    expect((await metrics.render()).text).toContain('access_admin_failed_sign_ins_total{reason="proof"} 1\n');
    for (let attempt = 2; attempt <= 5; attempt++) await wrong();
    const locked = await logIn(browse(), 'ada');
    expect([locked.status, locked.text]).toEqual([401, failed.text]);
    clock.nowMs += 15 * MINUTE_MS - 1;
    expect((await logIn(browse(), 'ada')).status).toBe(401);
    clock.nowMs += 1;
    expect((await logIn(browse(), 'ada')).status).toBe(303);
  });

  test('the session ends at sign-out, is new at each sign-in, and ends when idle', async () => {
    const { browse, logIn, setPassword, clock, store } = await openPeople();
    await setPassword('i-ada');
    const browser = browse();
    browser.cookies.set('session', 'chosen-by-somebody-else');
    await logIn(browser, 'ada');
    const first = browser.cookies.get('session') ?? '';
    expect(first).toMatch(/^[\w-]{43}$/);
    await logIn(browser, 'ada');
    const second = browser.cookies.get('session') ?? '';
    expect(second).not.toBe(first);
    const old = browse();
    old.cookies.set('session', first);
    expect((await old.get('/account')).status).toBe(303);
    const out = await browser.post('/sign-out');
    expect([out.status, out.location, browser.cookies.size]).toEqual([303, '/login?signed-out', 0]);
    const stolen = browse();
    stolen.cookies.set('session', second);
    expect((await stolen.get('/account')).status).toBe(303);
    await logIn(browser, 'ada');
    for (let minutes = 0; minutes < 30; minutes += 10) {
      clock.nowMs += 10 * MINUTE_MS;
      expect((await browser.get('/account')).status).toBe(200);
    }
    clock.nowMs += 15 * MINUTE_MS;
    expect((await browser.get('/account')).status).toBe(303);
    expect(
      JSON.stringify(await store.sessions.count('default', { nowMs: 0, createdAfterMs: 0, activeAfterMs: 0 })),
    ).toMatch(/^\d+$/);
  });
});

/** The events of this type. */
const toldOf = async (type: 'blocked' | 'locked', call: TestApi['call']) =>
  (await call('GET', '/events/v1')).json.filter(
    (event: { type: string }) => event.type === `org.access-admin.sign-in.${type}.v1`,
  );

describe('a refused sign-in', () => {
  test('tells no unknown user from a wrong password, a blocked profile, a lock or another verifier', async () => {
    const { browse, logIn, setPassword, importRecords } = await openPeople();
    for (const id of ['i-ada', 'i-bob', 'i-cleo']) await setPassword(id);
    await importRecords([
      { kind: 'identityProfile', id: 'ip-b', name: 'Blocked', authProfile: { type: 'BLOCK' } },
      { kind: 'identityProfile', id: 'ip-p', name: 'Elsewhere', authProfile: { type: 'PTA', applicationId: 'nope' } },
      { kind: 'identity', id: 'i-bob', uid: 'bob', identityProfile: 'ip-b' },
      { kind: 'identity', id: 'i-cleo', uid: 'cleo', identityProfile: 'ip-p' },
    ]);
    for (let attempt = 0; attempt < 5; attempt++) await logIn(browse(), 'ada', { password: 'wrong' });
    const answers = await Promise.all([
      logIn(browse(), 'nobody'),
      logIn(browse(), ''),
      logIn(browse(), 'a\u0301'.repeat(10)),
      logIn(browse(), 'x'.repeat(5_000)),
      logIn(browse(), 'bob'),
      logIn(browse(), 'bob', { password: 'wrong' }),
      logIn(browse(), 'cleo'),
      logIn(browse(), 'ada'),
      logIn(browse(), 'ada', { password: '' }),
      logIn(browse(), 'ada', { password: 'x'.repeat(10_000) }),
    ]);
    const told = answers.map(({ status, text, headers }) => {
      const named = [...headers].filter(([name]) => !['x-request-id', 'date'].includes(name));
      // What was typed is shown again, and the focus is in the first empty field.
      return JSON.stringify([
        status,
        text.replace(/(name="username"[^>]*) value="[^"]*"/, '$1').replace(' autofocus=""', ''),
        named,
      ]);
    });
    expect(new Set(told).size).toBe(1);
    expect(answers[0]?.text).toContain(' value="nobody"');
    expect(answers[0]?.status).toBe(401);
    expect(alertOf(answers[0] ?? expect.fail())).toMatch(/could not be signed in/);
  });

  test('costs one hash and leaves at a step of 500 ms, whatever the reason', async () => {
    const waits: number[] = [];
    const hashed: string[] = [];
    const config = {
      wait: async (ms: number) => void waits.push(ms),
      passwordThreads: {
        run: async ({ password, stored }: PasswordJob) => {
          hashed.push(password);
          return stored === null ? 'a hash' : stored === password;
        },
      },
    };
    const { browse, logIn, importRecords, store, clock } = await openPeople({ config });
    const actor = { clientId: 'test', identityId: null };
    const time = new Date(clock.nowMs).toISOString();
    for (const id of ['i-ada', 'i-bob', 'i-cleo'])
      await store.credentials.setPassword(
        { tenant: 'default', actor, operation: 'set-password', time, trackingId: 'a'.repeat(32) },
        id,
        { hash: PASSWORD, link: null, usedLink: null, keepSession: null },
      );
    await importRecords([
      { kind: 'identityProfile', id: 'ip-b', name: 'Blocked', authProfile: { type: 'BLOCK' } },
      { kind: 'identity', id: 'i-bob', uid: 'bob', identityProfile: 'ip-b' },
    ]);
    for (const [username, password] of [
      ...Array(6).fill(['ada', 'wrong']),
      ['ada', PASSWORD],
      ['bob', PASSWORD],
      ['bob', 'wrong'],
      ['nobody', PASSWORD],
      ['', ''],
    ]) {
      hashed.length = 0;
      waits.length = 0;
      expect((await logIn(browse(), username, { password })).status).toBe(401);
      expect([username, hashed, waits]).toEqual([username, [password], [500]]);
    }
  });

  test('costs no hash from a locked address, and others sign in', async () => {
    const hashed: string[] = [];
    const config = {
      trustedProxies: parseNetworks('127.0.0.1'),
      passwordThreads: {
        run: async ({ password, stored }: PasswordJob) => {
          hashed.push(password);
          return stored === null ? password : stored === password;
        },
      },
    };
    const { browse, logIn, setPassword } = await openPeople({ config });
    await setPassword('i-bob');
    const from = (address: string) => browse({ headers: { 'x-forwarded-for': address } });
    // Five wrong ones lock a user, and twenty times as many an address.
    for (let attempt = 0; attempt < 100; attempt++)
      await logIn(from('192.0.2.1'), `nobody-${attempt}`, { password: 'wrong' });
    hashed.length = 0;
    const refused = await logIn(from('192.0.2.1'), 'bob');
    expect([refused.status, alertOf(refused), hashed]).toEqual([401, expect.stringMatching(/could not be/), []]);
    expect((await logIn(from('192.0.2.2'), 'bob')).status).toBe(303);
  });

  test('is refused beyond 10 attempts a minute with one username, in any spelling, and 100 from one address', async () => {
    const config = {
      trustedProxies: parseNetworks('127.0.0.1'),
      rateLimit: { requests: 1000, windowSeconds: 10 },
    };
    const { browse, logIn, setPassword } = await openPeople({ config });
    await setPassword('i-bob');
    const from = (address: string) => browse({ headers: { 'x-forwarded-for': address } });
    const statuses = new Map<number, number>();
    const attempt = async (address: string, username: string) => {
      const { status } = await logIn(from(address), username, { password: 'wrong' });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    };
    for (let number = 0; number < 12; number++) await attempt(`192.0.2.${number}`, number % 2 === 0 ? 'ada' : 'ADA');
    expect(Object.fromEntries(statuses)).toEqual({ 401: 10, 429: 2 });
    statuses.clear();
    for (let number = 0; number < 102; number++) await attempt('198.51.100.1', `nobody-${number}`);
    expect(Object.fromEntries(statuses)).toEqual({ 401: 100, 429: 2 });
    const refused = await logIn(from('198.51.100.1'), 'bob');
    expect([refused.status, headingOf(refused)]).toEqual([429, 'Too many requests']);
    expect(refused.text.match(/Wait [^<]*/g)).toEqual(['Wait a minute, then try again.']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await logIn(from('192.0.2.20'), 'bob')).status).toBe(303);
  });

  test('without an enrolled second factor makes no session', async () => {
    const { browse, logIn, setPassword, importRecords } = await openPeople();
    await setPassword('i-bob');
    await importRecords([{ kind: 'identityProfile', id: 'ip', name: 'Staff', authProfile: { type: 'MFA' } }]);
    const browser = browse();
    const answer = await logIn(browser, 'bob');
    expect([answer.status, headingOf(answer), browser.cookies.size]).toEqual([403, 'A second factor is needed', 0]);
  });

  test('is recorded with its user and address, beyond ten with a count, and never with what was typed', async () => {
    const { browse, logIn, setPassword, audited } = await openPeople();
    await setPassword('i-ada');
    for (const name of ['ada', 'ada', ...Array.from({ length: 10 }, () => 'canary-user')])
      await logIn(browse(), name, { password: 'canary-password' });
    const events = await audited('sign-in');
    const shown = events
      .filter(({ outcome }: { outcome: string }) => outcome === 'DENIED')
      .map(({ actor, resource, count }: { actor: object; resource: { id: string }; count?: number }) => [
        actor,
        resource.id,
        count,
      ]);
    const actor = { clientId: 'address:127.0.0.1', identityId: null };
    expect(shown).toEqual([
      [actor, 'i-ada', undefined],
      [actor, 'i-ada', undefined],
      ...Array.from({ length: 8 }, () => [actor, null, undefined]),
      [actor, null, 2],
    ]);
    expect(JSON.stringify(events)).not.toMatch(/canary/);
  });

  test('by the auth profile is recorded and told as a block with its reasons', async () => {
    const { browse, logIn, setPassword, call, importRecords, audited } = await openPeople();
    await setPassword('i-bob');
    await importRecords([{ kind: 'identityProfile', id: 'ip', name: 'Staff', authProfile: { type: 'BLOCK' } }]);
    for (let attempt = 0; attempt < 13; attempt++) await logIn(browse(), 'bob');
    const told = await toldOf('blocked', call);
    const block = [
      '/auth-users/v1/i-bob',
      { id: 'i-bob', displayName: 'Bob', reasons: ['PROFILE_BLOCKED'], lockedUntil: null, address: '127.0.0.1' },
    ];
    expect(told.map(({ subject, data }: { subject: string; data: unknown }) => [subject, data])).toEqual(
      Array.from({ length: 10 }, () => block),
    );
    const counts = (await audited('sign-in-blocked')).map(({ count }: { count?: number }) => count);
    expect(counts.slice(9)).toEqual([undefined, 3]);
  });

  test('a lock is recorded and told, and a sign-in and a sign-out are recorded', async () => {
    const { browse, logIn, setPassword, call, audited, clock } = await openPeople();
    await setPassword('i-ada');
    for (let attempt = 0; attempt < 7; attempt++) await logIn(browse(), 'ada', { password: 'wrong' });
    const told = await toldOf('locked', call);
    expect(told.map(({ data }: { data: unknown }) => data)).toEqual([
      {
        id: 'i-ada',
        displayName: 'Ada L.',
        reasons: ['LOCKED_OUT'],
        address: '127.0.0.1',
        lockedUntil: new Date(clock.nowMs + 15 * MINUTE_MS).toISOString(),
      },
    ]);
    clock.nowMs += 15 * MINUTE_MS;
    const browser = browse();
    await logIn(browser, 'ada');
    await browser.post('/sign-out');
    const events = await audited('sign-in');
    const allowed = events.filter(({ outcome }: { outcome: string }) => outcome === 'ALLOWED');
    expect(allowed.map(({ resource }: { resource: { type: string } }) => resource.type)).toEqual(
      expect.arrayContaining(['AUTH_USER', 'SESSION']),
    );
    expect(allowed.at(-1)).toMatchObject({ actor: { identityId: 'i-ada' }, resource: { type: 'SESSION' } });
    expect(await audited('sign-out')).toMatchObject([{ actor: { identityId: 'i-ada' }, outcome: 'ALLOWED' }]);
  });

  test('a sign-out of a session that has ended by itself is one of its identity; without a session there is none', async () => {
    const { browse, logIn, setPassword, audited, clock } = await openPeople();
    await setPassword('i-ada');
    const browser = browse();
    await browser.post('/sign-out');
    await logIn(browser, 'ada');
    clock.nowMs += 16 * MINUTE_MS;
    await browser.post('/sign-out');
    expect((await audited('sign-out')).map(({ actor }: { actor: { identityId: string } }) => actor.identityId)).toEqual(
      ['i-ada'],
    );
  });
});
