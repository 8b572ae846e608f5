import { describe, expect, test } from 'vitest';
import { createCookies } from './cookies.ts';

const c = (headers: Record<string, string> = {}) => ({ header: (name: string) => headers[name] ?? null });
const FRAMED = { 'sec-fetch-dest': 'iframe' };

describe('a cookie', () => {
  test.each([
    ['https://access.example', '__Host-session=v; Path=/; HttpOnly; SameSite=Lax; Secure'],
    ['https://{tenant}.access.example', '__Host-session=v; Path=/; HttpOnly; SameSite=Lax; Secure'],
    ['http://access.example', '__Host-session=v; Path=/; HttpOnly; SameSite=Lax; Secure'],
    ['http://127.0.0.1:8080', 'session=v; Path=/; HttpOnly; SameSite=Lax'],
    ['http://[::1]:8080', 'session=v; Path=/; HttpOnly; SameSite=Lax'],
    ['http://localhost:8080', 'session=v; Path=/; HttpOnly; SameSite=Lax'],
    ['http://127.0.0.1.evil.example', '__Host-session=v; Path=/; HttpOnly; SameSite=Lax; Secure'],
  ])('at %s', (baseAddress, header) => {
    expect(createCookies(baseAddress).write('session', 'v', { c: c() })).toBe(header);
  });

  test('in a frame is another one, which is kept apart', () => {
    const cookies = createCookies('https://access.example');
    expect(cookies.write('session', 'v', { c: c(FRAMED) })).toBe(
      '__Host-session-framed=v; Path=/; HttpOnly; SameSite=None; Secure; Partitioned',
    );
    const both = '__Host-session=out; __Host-session-framed=in';
    expect(cookies.read('session', c({ cookie: both }))).toBe('out');
    expect(cookies.read('session', c({ cookie: both, ...FRAMED }))).toBe('in');
  });

  test.each([
    ['session=a', 'a'],
    ['x=1; session=a; y=2', 'a'],
    ['session=a; session=b', 'a'],
    ['xsession=a', null],
    ['session', null],
    ['session=', null],
    ['', null],
  ])('%j is read as %j', (cookie, value) => {
    expect(createCookies('http://127.0.0.1').read('session', c({ cookie }))).toBe(value);
  });

  test('is removed', () => {
    expect(createCookies('http://127.0.0.1').clear('session', c())).toBe(
      'session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0',
    );
  });
});
