import { expect, test } from 'vitest';
import { contextOf } from '../../test/context-of.ts';
import { parseNetworks } from '../http/client-address.ts';
import { createOriginOf } from './origin.ts';

const originOf = (remote: string, headers: Readonly<Record<string, string>> = {}) =>
  createOriginOf({
    trustedProxies: parseNetworks('10.0.0.0/8'),
    countryHeader: 'x-country',
    countryOf: (address) => (address === '203.0.113.7' ? 'CH' : null),
  })(contextOf({ headers, message: { remoteAddress: remote } }));

test.each<[string, string, Record<string, string>, string, string | null]>([
  ['the address of the socket', '203.0.113.7', {}, '203.0.113.7', 'CH'],
  ['the whole address of IPv6', '2001:db8::1:2', {}, '2001:db8:0:0:0:0:1:2', null],
  ['a header of a caller', '192.0.2.1', { 'x-country': 'CH', 'x-forwarded-for': '10.1.1.1' }, '192.0.2.1', null],
  [
    'a header of a trusted proxy',
    '10.0.0.1',
    { 'x-country': 'de', 'x-forwarded-for': '203.0.113.7' },
    '203.0.113.7',
    'DE',
  ],
  [
    'the right-most untrusted address',
    '10.0.0.1',
    { 'x-forwarded-for': '10.9.9.9, 203.0.113.7, 10.0.0.2' },
    '203.0.113.7',
    'CH',
  ],
  [
    'an unknown country of the proxy',
    '10.0.0.1',
    { 'x-country': 'XX', 'x-forwarded-for': '192.0.2.1' },
    '192.0.2.1',
    null,
  ],
  ['two countries', '10.0.0.1', { 'x-country': 'CH, DE' }, '10.0.0.1', null],
])('%s', (_, remote, headers, address, country) => {
  expect(originOf(remote, headers)).toEqual({ address, country });
});
