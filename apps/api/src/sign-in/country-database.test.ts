import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { parseCountryDatabase } from './country-database.ts';

const FOLDER = '@ip-location-db/geo-whois-asn-country-mmdb';
const read = (name: string) => readFileSync(createRequire(import.meta.url).resolve(`${FOLDER}/${name}`));
const all = parseCountryDatabase(read('geo-whois-asn-country.mmdb'));
const ipv4 = parseCountryDatabase(read('geo-whois-asn-country-ipv4.mmdb'));

test.each([
  ['130.59.31.80', 'CH'],
  ['::ffff:130.59.31.80', 'CH'],
  ['0:0:0:0:0:ffff:823b:1f50', 'CH'],
  ['8.8.8.8', 'US'],
  ['2001:620::1', 'CH'],
  ['2001:0620:0:0:0:0:0:1', 'CH'],
  ['10.1.2.3', null],
  ['::1', null],
  ['', null],
  ['no address', null],
  ['130.59.31', null],
])('%j is in %s', (address, country) => {
  expect(all?.(address)).toBe(country);
});

test('a database of IPv4 addresses knows no IPv6 address', () => {
  expect([ipv4?.('130.59.31.80'), ipv4?.('::ffff:130.59.31.80')]).toEqual(['CH', 'CH']);
  expect([ipv4?.('2001:620::1'), ipv4?.('8000::1'), ipv4?.('::1')]).toEqual([null, null, null]);
});

describe('no database', () => {
  const whole = read('geo-whois-asn-country-ipv4.mmdb');

  test.each([
    ['an empty file', Buffer.alloc(0)],
    ['a text', Buffer.from('[{"id": 1}]')],
    ['zeros', Buffer.alloc(4_096)],
    ['the first half of a database', whole.subarray(0, whole.length / 2)],
    ['the metadata alone', whole.subarray(whole.lastIndexOf('\xab\xcd\xefMaxMind.com', undefined, 'latin1'))],
  ])('is %s', (_, bytes) => {
    expect(parseCountryDatabase(bytes)).toBeNull();
  });
});
