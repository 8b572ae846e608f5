import { expect, test } from 'vitest';
import { ownPath } from './own-path.ts';

test.each(['/', '/account', '/console/', '/console/violations?limit=5&sort=a%20b', '/console/#/policies', '/a/b//c'])(
  '%s is an own path',
  (path) => {
    expect(ownPath(path)).toBe(path);
  },
);

test.each([
  '',
  'account',
  'https://evil.example',
  'HTTPS://evil.example',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/account\r\nset-cookie: a=b',
  ' //evil.example',
  'javascript:alert(1)',
  'data:text/html,x',
  '/%2fevil.example',
  '/%2Fevil.example',
  '/%5cevil.example',
  '/%252fevil.example',
  '/%25252fevil.example',
  '%2f%2fevil.example',
  '/..//evil.example',
  '/.//evil.example',
  '/%2e%2e//evil.example',
  '/a/..//evil.example',
  '/%0d%0aset-cookie:%20a=b',
  '/%',
  '/%ff',
  '/@evil.example\\',
  `/${'a'.repeat(1024)}`,
  '/login',
  '/login?to=/login',
  '/login/second-factor',
  '/a/../login',
  '/sign-out',
  '/sign-in-link/abc',
])('%j leads to /', (given) => {
  expect(ownPath(given)).toBe('/');
});
