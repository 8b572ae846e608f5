import { expect, test } from 'vitest';
import type { RequestContext } from '../http/env.ts';
import { createSessionCookie, hashOfToken } from './cookie.ts';

const TOKEN = 'x'.repeat(43);

const c = (headers: Record<string, string>): RequestContext => ({
  ...{ method: 'GET', target: '/', params: {}, connection: {}, endWithin: () => {}, isBodyAborted: () => false },
  ...{ remoteAddress: () => null, signal: () => new AbortController().signal },
  header: (name) => headers[name] ?? null,
  readBody: () => {
    throw new Error('there is no body');
  },
});

test('a session is of the tenant whose host is called', () => {
  const cookie = createSessionCookie({ baseAddress: 'https://{tenant}.access.example', tenant: 'default' });
  const read = (host: string) => cookie.read(c({ host, cookie: `__Host-session=${TOKEN}` }));
  expect(read('acme.access.example')).toEqual({ tenant: 'acme', hash: hashOfToken(TOKEN), isFramed: false });
  expect(read('other.access.example')).toEqual({ tenant: 'other', hash: hashOfToken(TOKEN), isFramed: false });
  for (const host of ['access.example', 'acme.evil.example', 'a.b.access.example', '']) expect(read(host)).toBeNull();
});

test('another cookie, host or frame on the same connection is read anew', () => {
  const cookie = createSessionCookie({ baseAddress: 'https://{tenant}.access.example', tenant: 'default' });
  const connection = {};
  const read = (headers: Record<string, string>) => {
    const given = { host: 'acme.access.example', cookie: `__Host-session=${TOKEN}`, ...headers };
    return cookie.read({ ...c(given), connection });
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
