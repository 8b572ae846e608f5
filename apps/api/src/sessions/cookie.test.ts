import { expect, test } from 'vitest';
import { contextOf } from '../../test/context-of.ts';
import { createSessionCookie, hashOfToken } from './cookie.ts';

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
