import { BlockList, isIPv6 } from 'node:net';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CASES } from '../../../test/depth.ts';
import { compileRanges, isAddressRange, isInRanges } from './ranges.ts';

const holds = (ranges: readonly string[], address: string) => isInRanges(address, compileRanges(ranges));

describe('an address is in a range when its prefix is', () => {
  test.each<[string, string, string]>([
    ['10.0.0.0/8', '10.0.0.0', '9.255.255.255'],
    ['10.0.0.0/8', '10.255.255.255', '11.0.0.0'],
    ['10.1.2.3/8', '10.200.0.1', '11.1.2.3'],
    ['255.255.255.252/30', '255.255.255.255', '255.255.255.251'],
    ['1.3.7.2', '1.3.7.2', '1.3.7.3'],
    ['192.168.0.0/31', '192.168.0.1', '192.168.0.2'],
    ['0.0.0.0/0', '255.255.255.255', '2001:db8::1'],
    ['0.0.0.0/0', '::ffff:8.8.8.8', '::8.8.8.8'],
    ['10.0.0.0/8', '::ffff:10.1.2.3', '::ffff:11.1.2.3'],
    ['10.0.0.0/8', '::FFFF:0a01:0203', '::fffe:a01:203'],
    ['::ffff:10.0.0.0/104', '10.1.2.3', '11.1.2.3'],
    ['::ffff:10.0.0.1', '10.0.0.1', '10.0.0.2'],
    ['2001:db8::/32', '2001:db8:ffff::', '2001:db9::'],
    ['2001:db8::/33', '2001:db8:7fff::1', '2001:db8:8000::1'],
    ['2001:db8::1', '2001:0DB8:0:0:0:0:0:1', '2001:db8::2'],
    ['fe80::/10', 'febf::1', 'fec0::1'],
    ['::/1', '10.0.0.1', '8000::'],
  ])('%s has %s and not %s', (range, inside, outside) => {
    expect([holds([range], inside), holds([range], outside)]).toEqual([true, false]);
  });

  test('::/0 has every address', () => {
    expect(['0.0.0.0', '255.255.255.255', '::', '::1', 'ffff::1'].map((address) => holds(['::/0'], address))).toEqual(
      Array.from({ length: 5 }, () => true),
    );
  });

  test('several ranges have what any of them has, also where they overlap, touch or repeat', () => {
    const ranges = ['10.0.0.0/9', '10.128.0.0/9', '10.5.0.0/16', '10.5.0.0/16', '2001:db8::/32', '1.1.1.1'];
    const found = (address: string) => holds(ranges, address);
    expect(['10.0.0.0', '10.127.255.255', '10.128.0.0', '10.255.255.255', '1.1.1.1'].every(found)).toBe(true);
    expect(['9.255.255.255', '11.0.0.0', '1.1.1.0', '1.1.1.2', '2001:db7:ffff::'].some(found)).toBe(false);
  });

  test('no range has anything, and what is no address is in no range', () => {
    expect(holds([], '1.1.1.1')).toBe(false);
    for (const text of ['', 'localhost', '1.1.1', '010.0.0.1', '1.1.1.1 ', 'fe80::1%eth0', '1.1.1.1/32', '::1::']) {
      expect([text, holds(['::/0'], text)]).toEqual([text, false]);
    }
  });
});

test.each([
  '',
  '/',
  '/8',
  '10.0.0.0/',
  '10.0.0.0/33',
  '10.0.0.0/-1',
  '10.0.0.0/08',
  '10.0.0.0/+8',
  '10.0.0.0/8 ',
  ' 10.0.0.0/8',
  '10.0.0.0/8/8',
  '10.0.0.0/8.0',
  '10.0.0.0/1e1',
  '10.0.0.0/255.0.0.0',
  '10.0.0/8',
  '10.*.*.*',
  '10.0.0.0-10.0.0.9',
  '010.0.0.0/8',
  '256.0.0.0/8',
  '2001:db8::/129',
  '2001:db8::/',
  '2001:db8/32',
  '::1%lo/128',
  '[::1]/128',
  '::ffff:1.2.3/96',
  '1::2::3/64',
  'localhost',
  '10.0.0.0/٨',
  '１0.0.0.0/8',
  '10.0.0.0\n/8',
])('%j is no range, and is left out', (text) => {
  expect([isAddressRange(text), compileRanges([text]).firsts]).toEqual([false, []]);
});

const ipv4 = fc.ipV4();
const ipv6 = fc.ipV6();
const near = (address: string) => fc.constantFrom(address, address.replace(/[0-9a-f]$/i, '1'));
const mapped = ipv4.map((address) => `::ffff:${address}`);
const range = fc.oneof(
  fc.tuple(ipv4, fc.integer({ min: 0, max: 32 })),
  fc.tuple(fc.oneof(ipv6, mapped), fc.integer({ min: 0, max: 128 })),
);

test('look-ups agree with the block list of Node', () => {
  const questions = fc.array(range, { maxLength: 12 }).chain((ranges) => {
    const bases = ranges.map(([base]) => near(base));
    return fc.tuple(fc.constant(ranges), fc.oneof(ipv4, ipv6, mapped, ...bases));
  });
  fc.assert(
    fc.property(questions, ([ranges, address]) => {
      const list = new BlockList();
      const typeOf = (text: string) => (isIPv6(text) ? 'ipv6' : 'ipv4');
      for (const [base, prefix] of ranges) list.addSubnet(base, prefix, typeOf(base));
      const texts = ranges.map(([base, prefix]) => `${base}/${prefix}`);
      expect(texts.every(isAddressRange)).toBe(true);
      expect(holds(texts, address)).toBe(list.check(address, typeOf(address)));
    }),
    { numRuns: CASES },
  );
});
