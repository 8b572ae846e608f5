import { describe, expect, test } from 'vitest';
import { contextOf } from '../../test/context-of.ts';
import type { RequestContext } from '../env.ts';
import { createCookies } from './cookies.ts';

const c = (headers: Record<string, string> = {}) => contextOf({ headers });
/** The attributes of the only cookie that an answer sets. */
function setBy(context: RequestContext): ReadonlySet<string> {
  const [cookie = '', ...others] = context.body(null).headers.getSetCookie();
  expect(others).toEqual([]);
  return new Set(cookie.split('; '));
}
const attributes = (cookie: string) => new Set(cookie.split('; '));

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
    const context = c();
    createCookies(baseAddress).write(context, 'session', 'v');
    expect(setBy(context)).toEqual(attributes(header));
  });

  test('in a frame is another one, which is kept apart', () => {
    const cookies = createCookies('https://access.example');
    const context = c(FRAMED);
    cookies.write(context, 'session', 'v');
    expect(setBy(context)).toEqual(
      attributes('__Host-session-framed=v; Path=/; HttpOnly; SameSite=None; Secure; Partitioned'),
    );
    const both = '__Host-session=out; __Host-session-framed=in';
    expect(cookies.read(c({ cookie: both }), 'session')).toBe('out');
    expect(cookies.read(c({ cookie: both, ...FRAMED }), 'session')).toBe('in');
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
    expect(createCookies('http://127.0.0.1').read(c({ cookie }), 'session')).toBe(value);
  });

  test('is removed', () => {
    const context = c();
    createCookies('http://127.0.0.1').clear(context, 'session');
    expect(setBy(context)).toEqual(attributes('session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0'));
  });
});
