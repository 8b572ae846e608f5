import { isIP } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CASES } from '../../../test/depth.ts';
import { parseAddress, textOfAddress } from './address-bytes.ts';

const characters = fc.string({ unit: fc.constantFrom(...'0129af:.'), maxLength: 12 });
const groups = fc.array(fc.constantFrom('', '0', '1', 'ffff', '12345', 'g', '1.2.3.4', '256.0.0.1'), { maxLength: 10 });
const texts = fc.oneof(
  characters,
  groups.map((parts) => parts.join(':')),
  fc.ipV4(),
  fc.ipV6(),
);

test('a text is an address exactly where Node takes it for one', () => {
  const lengths = { 0: undefined, 4: 4, 6: 16 };
  fc.assert(
    fc.property(texts, (text) => {
      expect([text, parseAddress(text)?.length]).toEqual([text, lengths[isIP(text) as 0 | 4 | 6]]);
    }),
    { numRuns: CASES },
  );
});

test.each<[string, readonly number[]]>([
  ['1.2.3.255', [1, 2, 3, 255]],
  ['::', [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]],
  ['::ffff:1.2.3.4', [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 1, 2, 3, 4]],
  ['2001:DB8::a:B', [32, 1, 13, 184, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10, 0, 11]],
  ['1:2:3:4:5:6:7::', [0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 0]],
])('%s has the bytes %j', (text, bytes) => {
  expect(parseAddress(text)).toEqual(bytes);
});

test.each([
  ['1.2.3.255', '1.2.3.255'],
  ['::ffff:cb00:7107', '203.0.113.7'],
  ['::fffe:cb00:7107', '0:0:0:0:0:fffe:cb00:7107'],
  ['2001:0DB8::a:B', '2001:db8:0:0:0:0:a:b'],
])('%s is written as %s', (text, written) => {
  expect(textOfAddress(parseAddress(text) ?? [])).toBe(written);
});
