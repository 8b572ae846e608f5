import { expect, test } from 'vitest';
import { contextOf } from '../../test/context-of.ts';
import { createOwnOrigins } from './own-origins.ts';

const isAdmitted = (baseAddress: string, origin: string | null, site: string | null = null, tenant = 'acme') =>
  createOwnOrigins(baseAddress).isSource(
    contextOf({
      headers: {
        ...(origin === null ? {} : { origin }),
        ...(site === null ? {} : { 'sec-fetch-site': site }),
      },
    }),
    tenant,
  );

test.each([
  ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ['http://[::1]:8080', 'http://[::1]:8080'],
  ['https://Access.Example', 'https://access.example'],
  ['https://access.example:443', 'https://access.example'],
  ['https://{tenant}.access.example', 'https://acme.access.example'],
  ['https://tenant-{tenant}.access.example:443', 'https://tenant-acme.access.example'],
  ['https://{tenant}.access.example:8443', 'https://acme.access.example:8443'],
])('pages of %s are those of %s', (baseAddress, origin) => {
  expect(isAdmitted(baseAddress, origin)).toBe(true);
  expect(isAdmitted(baseAddress, origin, 'same-origin')).toBe(true);
  for (const site of ['same-site', 'cross-site', 'none', '']) expect(isAdmitted(baseAddress, origin, site)).toBe(false);
  for (const other of [null, '', 'null', `${origin}/`, `${origin}0`, origin.replace('http', 'ftp')])
    expect(isAdmitted(baseAddress, other)).toBe(false);
});

test('a page of another tenant is none of this one', () => {
  const baseAddress = 'https://{tenant}.access.example';
  expect(isAdmitted(baseAddress, 'https://other.access.example')).toBe(false);
  expect(isAdmitted(baseAddress, 'https://other.access.example', null, 'other')).toBe(true);
});

const LOOPBACK = ['http://localhost:8080', 'http://127.0.0.1:8080', 'http://[::1]:8080'];
const atHost = (host: string | null) => contextOf({ headers: host === null ? {} : { host } });

test.each(LOOPBACK)('where %s is the base address, the names of this machine are one origin', (baseAddress) => {
  for (const origin of LOOPBACK) {
    expect([origin, isAdmitted(baseAddress, origin)]).toEqual([origin, true]);
    expect(isAdmitted(baseAddress, origin, 'same-site')).toBe(false);
  }
  for (const origin of [
    'https://localhost:8080',
    'http://localhost',
    'http://localhost:8081',
    'http://127.0.0.2:8080',
    'http://localhost.evil.example:8080',
    'http://evil.example:8080',
    'http://a.localhost:8080',
    'http://0.0.0.0:8080',
    'http://127.0.0.1.nip.io:8080',
    'http://[::ffff:127.0.0.1]:8080',
    'null',
    'http://localhost:8080/',
  ])
    expect([origin, isAdmitted(baseAddress, origin)]).toEqual([origin, false]);
});

test.each([
  'https://access.example',
  'http://127.0.0.2:8080',
  'http://a.localhost:8080',
  'http://{tenant}.localhost:8080',
])('they are none of %s', (baseAddress) => {
  for (const origin of LOOPBACK) expect(isAdmitted(baseAddress, origin)).toBe(false);
  expect(createOwnOrigins(baseAddress).isOwnHost(atHost('localhost:8080'), 'acme')).toBe(false);
});

test('the origin that a request has used is one of them, else that of the base address', () => {
  const { usedBy, isOwnHost, baseOf } = createOwnOrigins('http://127.0.0.1:8080');
  for (const host of ['localhost:8080', '[::1]:8080', 'LOCALHOST:8080']) {
    expect(usedBy(atHost(host), 'acme')).toBe(`http://${host.toLowerCase()}`);
    expect(isOwnHost(atHost(host), 'acme')).toBe(true);
  }
  for (const host of [
    'localhost',
    'localhost:80',
    'evil.example:8080',
    'localhost.evil.example:8080',
    '',
    '%',
    'a b',
  ]) {
    expect([host, usedBy(atHost(host), 'acme')]).toEqual([host, 'http://127.0.0.1:8080']);
    expect([host, isOwnHost(atHost(host), 'acme')]).toEqual([host, false]);
  }
  for (const unspecified of ['http://0.0.0.0:8080', 'http://[::]:8080'])
    expect(createOwnOrigins(unspecified).isOwnHost(atHost('server:8080'), 'acme')).toBe(true);
  // Health checks send none.
  expect(isOwnHost(atHost(null), 'acme')).toBe(true);
  expect(baseOf('acme')).toBe('http://127.0.0.1:8080');
  const named = createOwnOrigins('https://{tenant}.access.example');
  expect(named.isOwnHost(atHost('acme.access.example:443'), 'acme')).toBe(true);
  expect(named.isOwnHost(atHost('other.access.example'), 'acme')).toBe(false);
  expect(named.usedBy(atHost('localhost:8080'), 'acme')).toBe('https://acme.access.example');
});
