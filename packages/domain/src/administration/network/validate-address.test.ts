import { describe, expect, test } from 'vitest';
import { SPECIAL_IPV4, SPECIAL_IPV6 } from './special-addresses.ts';
import { validateAddress } from './validate-address.ts';

/** First and last addresses of each refused range, and forms that contain one. */
const REFUSED: Readonly<Record<string, readonly string[]>> = {
  'unspecified and this network': ['0.0.0.0', '0.0.0.1', '0.255.255.255', '::', '0:0:0:0:0:0:0:0'],
  loopback: [
    '127.0.0.1',
    '127.255.255.255',
    '127.0.0.0',
    '::1',
    '0:0:0:0:0:0:0:1',
    '0000:0000:0000:0000:0000:0000:0000:0001',
  ],
  private: ['10.0.0.0', '10.255.255.255', '172.16.0.0', '172.31.255.255', '192.168.0.0', '192.168.255.255'],
  'link-local': ['169.254.0.0', '169.254.255.255', 'fe80::1', 'febf:ffff::1', 'FE80::A'],
  metadata: ['169.254.169.254', '169.254.170.2', '168.63.129.16', '100.100.100.200', '192.0.0.192', 'fd00:ec2::254'],
  'carrier-grade NAT': ['100.64.0.0', '100.127.255.255'],
  multicast: ['224.0.0.0', '239.255.255.255', 'ff02::1', 'ff00::'],
  'reserved and broadcast': ['240.0.0.0', '255.255.255.254', '255.255.255.255'],
  documentation: ['192.0.2.1', '198.51.100.1', '203.0.113.255', '2001:db8::1', '3fff::1', '3fff:fff:ffff::1'],
  benchmarks: ['198.18.0.0', '198.19.255.255', '2001:2::1'],
  'protocols of the IETF': ['192.0.0.0', '192.0.0.255', '2001:1::1', '2001:1ff:ffff::1', '2001:20::1'],
  'AS112, AMT and 6to4 relays': ['192.31.196.1', '192.175.48.1', '192.52.193.1', '192.88.99.1', '2620:4f:8000::1'],
  'IPv4-mapped': ['::ffff:127.0.0.1', '::ffff:7f00:1', '::FFFF:8.8.8.8', '0:0:0:0:0:ffff:10.0.0.1', '::ffff:0808:0808'],
  'IPv4-compatible': ['::127.0.0.1', '::7f00:1', '::8.8.8.8', '0:0:0:0:0:0:127.0.0.1'],
  'IPv4-translated': ['::ffff:0:127.0.0.1', '::ffff:0:7f00:1'],
  '6to4': ['2002:7f00:1::', '2002:a00:1::1', '2002:808:808::1'],
  Teredo: ['2001::1', '2001:0:7f00:1::', '2001:0:ffff:ffff::1'],
  NAT64: ['64:ff9b::7f00:1', '64:ff9b::127.0.0.1', '64:ff9b::8.8.8.8', '64:ff9b:1::1', '64:ff9b:1:ffff::10.0.0.1'],
  ISATAP: ['2a00:1450:4001:81b:0:5efe:127.0.0.1', '2a00:1450:4001:81b:200:5efe:a00:1'],
  'unique local': ['fc00::', 'fd12:3456:789a::1', 'fdff:ffff::1'],
  'site-local': ['fec0::1', 'feff::1'],
  'discarded and dummy': ['100::1', '100::ffff', '100:0:0:1::1'],
  'segment routing': ['5f00::1'],
  'outside of global unicast': ['1::1', '4000::1', '200::1', '::2:0:0:1', '64:ff9c::1', 'e000::1'],
};

const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '169.253.255.255',
  '169.255.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '168.63.129.15',
  '168.63.129.17',
  '192.0.1.0',
  '192.0.3.0',
  '2606:4700:4700::1111',
  '2001:4860:4860::8888',
  '2001:200::1',
  '2A00:1450:4001:81B::200E',
  '2003::1',
  '2001:db7:ffff::1',
  '2001:db9::1',
  '2620:4f:8001::1',
  '3ffd::1',
  '2a00:1450:4001:81b:1:5efe:a00:1',
];

/** Forms that some reader takes for an address, and others do not. */
const UNREADABLE = [
  '',
  ' ',
  'localhost',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '127.1',
  '127.0.1',
  '0177.0.0.1',
  '010.0.0.1',
  '127.0.0.1.',
  '127.0.0.1 ',
  ' 127.0.0.1',
  '127.0.0.01',
  '127.0.0.256',
  '1.1.1',
  '1.1.1.1.1',
  '1.1.1.1e0',
  '①②⑦.0.0.1',
  'fe80::1%eth0',
  '::1%0',
  '[::1]',
  ':::',
  '1::2::3',
  '::ffff:127.1',
  '::ffff:0177.0.0.1',
  '12345::',
  'g::',
  '1:2:3:4:5:6:7',
  '1:2:3:4:5:6:7:8:9',
  '1:2:3:4:5:6:7::8',
  '127.0.0.1:80',
  '::127.0.0.1:1',
  ':1:2:3:4:5:6:7',
  '2606:4700::1.2.3.4.5',
  '127。0。0。1',
];

describe('an address is public or it is refused', () => {
  for (const [what, addresses] of Object.entries(REFUSED))
    test(`refused: ${what}`, () => {
      expect(addresses.filter((address) => validateAddress(address) === null)).toEqual([]);
    });

  test('public addresses, also those beside a refused range', () => {
    expect(PUBLIC.map((address) => [address, validateAddress(address)])).toEqual(
      PUBLIC.map((address) => [address, null]),
    );
  });

  test('only forms that all readers read alike are addresses', () => {
    expect(UNREADABLE.map((text) => [text, validateAddress(text)])).toEqual(
      UNREADABLE.map((text) => [text, 'not readable']),
    );
  });

  test('the first address of each range of the tables is refused', () => {
    const firsts = [...SPECIAL_IPV4, ...SPECIAL_IPV6].map(({ range }) => range.split('/')[0] ?? '');
    expect(firsts.filter((first) => validateAddress(first) === null)).toEqual([]);
  });
});
