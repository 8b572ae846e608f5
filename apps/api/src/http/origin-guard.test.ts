import { expect, test } from 'vitest';
import { contextOf } from '../../test/context-of.ts';
import { createIsFromOwnOrigin } from './origin-guard.ts';

const isAdmitted = (baseAddress: string, origin: string | null, site: string | null = null, tenant = 'acme') =>
  createIsFromOwnOrigin(baseAddress)(
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
