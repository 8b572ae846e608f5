import { expect, test } from 'vitest';
import { contextOf } from '../../test/context-of.ts';
import { endsOf, endsOfNew } from './session.ts';
import { createSessionCookie, hashOfToken } from './session-cookie.ts';

const TOKEN = 'x'.repeat(43);

const c = (headers: Record<string, string>) => contextOf({ headers });

test('a session is of the tenant whose host is called', () => {
  const cookie = createSessionCookie({ baseAddress: 'https://{tenant}.access.example', tenant: 'default' });
  const read = (host: string) => cookie.read(c({ host, cookie: `__Host-session=${TOKEN}` }));
  expect(read('acme.access.example')).toEqual({ tenant: 'acme', hash: hashOfToken(TOKEN), isFramed: false });
  expect(read('other.access.example')).toEqual({ tenant: 'other', hash: hashOfToken(TOKEN), isFramed: false });
  for (const host of ['access.example', 'acme.evil.example', 'a.b.access.example', '']) expect(read(host)).toBeNull();
});

test('each cookie, host and frame names its own session', () => {
  const cookie = createSessionCookie({ baseAddress: 'https://{tenant}.access.example', tenant: 'default' });
  const read = (headers: Record<string, string>) => {
    const given = { host: 'acme.access.example', cookie: `__Host-session=${TOKEN}`, ...headers };
    return cookie.read(c(given));
  };
  expect(read({})?.tenant).toBe('acme');
  expect(read({ host: 'other.access.example' })?.tenant).toBe('other');
  expect(read({ cookie: `__Host-session=${'y'.repeat(43)}` })?.hash).toBe(hashOfToken('y'.repeat(43)));
  expect(read({ 'sec-fetch-dest': 'iframe' })).toBeNull();
  const framed = `__Host-session-framed=${TOKEN}`;
  for (const dest of ['iframe', 'empty'])
    expect(read({ cookie: framed, 'sec-fetch-dest': dest })).toMatchObject({ isFramed: true });
  expect(read({ cookie: framed, 'sec-fetch-dest': 'document' })).toBeNull();
});

test.each(['', 'x', `${TOKEN}x`, `${TOKEN.slice(1)}=`, '"quoted"'])('%j is no token', (token) => {
  const cookie = createSessionCookie({ baseAddress: 'http://127.0.0.1:8080', tenant: 'default' });
  expect(cookie.read(c({ cookie: `session=${token}` }))).toBeNull();
  expect(cookie.read(c({ cookie: `session=${TOKEN}` }))).toEqual({
    tenant: 'default',
    hash: hashOfToken(TOKEN),
    isFramed: false,
  });
});

const MINUTE_MS = 60_000;
const CONFIG = { maxIdleTime: 15, rememberMe: false, maxSessionTime: 480 };
const session = {
  id: 's',
  identityId: 'ada',
  factors: [],
  isFramed: false,
  address: null,
  createdMs: 0,
  provenMs: 0,
  activeMs: 0,
  ...endsOfNew(0, 0, CONFIG),
};

test.each([
  ['as stored', {}, 0, [480, 15]],
  ['shorter settings apply at once', { maxIdleTime: 5, maxSessionTime: 60 }, 0, [60, 5]],
  ['a longer maximum does not lengthen it', { maxSessionTime: 900 }, 0, [480, 15]],
  ['a longer idle time begins with the next activity', { maxIdleTime: 60 }, 0, [480, 15]],
  ['after an activity', {}, 10, [480, 25]],
  ['after an activity under a longer idle time', { maxIdleTime: 60 }, 10, [480, 70]],
])('a session ends %s', (_title, change, activeMinutes, [expires = 0, idle = 0]) => {
  expect(endsOf(session, { ...CONFIG, ...change }, activeMinutes * MINUTE_MS)).toEqual({
    expiresMs: expires * MINUTE_MS,
    idleExpiresMs: idle * MINUTE_MS,
  });
});
