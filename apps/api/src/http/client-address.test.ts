import { describe, expect, test } from 'vitest';
import { contextOf } from '../../test/context-of.ts';
import { createClientAddress, parseNetworks } from './client-address.ts';

/** The address of a request from `remote` with this header. */
const addressOf = (remote: string | null, forwarded: string | null = null, trusted = '') =>
  createClientAddress(trusted === '' ? null : parseNetworks(trusted))(
    contextOf({
      headers: forwarded === null ? {} : { 'x-forwarded-for': forwarded },
      message: remote === null ? {} : { remoteAddress: remote },
    }),
  );

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::ffff:cb00:7107', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::6', '2001:db8:1:2::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::8.8.8.8', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  [null, ''],
])('the address of the socket %s is %s', (remote, address) => {
  expect(addressOf(remote)).toBe(address);
});

describe('X-Forwarded-For', () => {
  const PROXY = '10.0.0.1';
  const TRUSTED = '10.0.0.0/8, 2001:db8:ffff::/48';

  test('does not count without a trusted proxy, or from another address', () => {
    expect(addressOf(PROXY, '203.0.113.7')).toBe(PROXY);
    expect(addressOf('192.0.2.1', '203.0.113.7', TRUSTED)).toBe('192.0.2.1');
    expect(addressOf('11.0.0.1', '203.0.113.7', TRUSTED)).toBe('11.0.0.1');
  });

  test.each([
    ['one proxy', '203.0.113.7', '203.0.113.7'],
    ['what the caller itself sent stands left of its address', '198.51.100.1, 203.0.113.7', '203.0.113.7'],
    ['a caller that names a trusted proxy', '198.51.100.1, 10.9.9.9, 203.0.113.7', '203.0.113.7'],
    ['two proxies', '198.51.100.1,203.0.113.7,10.0.0.2', '203.0.113.7'],
    ['two proxies, one of them IPv6', '203.0.113.7, 2001:db8:ffff::5', '203.0.113.7'],
    ['a caller within the trusted network', '10.0.0.9, 10.0.0.2', '10.0.0.9'],
    ['an address with a port', '203.0.113.7:4711', '203.0.113.7'],
    ['IPv6 with brackets and port', '[2001:db8:1:2::9]:4711', '2001:db8:1:2::/64'],
    ['IPv6', '2001:db8:1:2:aaaa::9', '2001:db8:1:2::/64'],
    ['no address', 'unknown', PROXY],
    ['an empty header', '', PROXY],
    ['no address before a proxy', '203.0.113.7, unknown, 10.0.0.2', '10.0.0.2'],
    ['a text that looks like a host', '203.0.113.7.example.com', PROXY],
    ['several headers, joined by the server', '198.51.100.1, 203.0.113.7', '203.0.113.7'],
  ])('from a trusted proxy: %s', (_, forwarded, address) => {
    expect(addressOf(PROXY, forwarded, TRUSTED)).toBe(address);
    expect(addressOf(`::ffff:${PROXY}`, forwarded, TRUSTED)).toBe(address);
  });

  test('without the header the address is that of the proxy', () => {
    expect(addressOf(PROXY, null, TRUSTED)).toBe(PROXY);
  });
});

test.each([
  '',
  ',',
  '10.0.0.0/33',
  '::/129',
  '10.0.0',
  'proxy.example.com',
  '10.0.0.1 10.0.0.2',
  '10.0.0.0/-1',
  '1.2.3.4/',
])('the list of proxies %j is refused', (text) => {
  expect(parseNetworks(text)).toBeNull();
});
