import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codeOfStep } from '../../../test/totp-code.ts';
import { findStep, fromBase32, stepAt, toBase32, totpUri } from './totp.ts';

const RFC_SECRET = Buffer.from('12345678901234567890');

describe('the code of RFC 6238', () => {
  test.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('at %s s is %s', (seconds, code) => {
    expect(findStep(RFC_SECRET, code, seconds * 1_000)).toBe(stepAt(seconds * 1_000));
  });
});

test('the code of any secret and instant is found', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 16, maxLength: 32 }),
      fc.integer({ min: 60, max: 2 ** 33 }),
      (secret, epoch) => {
        const step = stepAt(epoch * 1_000);
        expect(findStep(secret, codeOfStep(secret, step), epoch * 1_000)).toBe(step);
      },
    ),
  );
});

describe('a typed code', () => {
  const NOW_MS = 1_700_000_010_000;
  const now = stepAt(NOW_MS);

  test.each([
    [-2, null],
    [-1, now - 1],
    [0, now],
    [1, now + 1],
    [2, null],
  ])('of %s steps from now is of step %s', (drift, step) => {
    expect(findStep(RFC_SECRET, codeOfStep(RFC_SECRET, now + drift), NOW_MS)).toBe(step);
  });

  test('may be typed in groups', () => {
    const code = codeOfStep(RFC_SECRET, now);
    expect(findStep(RFC_SECRET, `${code.slice(0, 3)} ${code.slice(3)}`, NOW_MS)).toBe(now);
  });

  test.each(['', '12345', '1234567', 'abcdef', '١٢٣٤٥٦', '-12345', '1e5000', 'x'.repeat(100_000)])(
    '%j is none',
    (code) => {
      expect(findStep(RFC_SECRET, code.slice(0, 1_000), NOW_MS)).toBeNull();
    },
  );
});

test('base32 is read as it was written', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      expect(fromBase32(toBase32(bytes))).toEqual(new Uint8Array(bytes));
    }),
  );
  expect([fromBase32('1'), fromBase32('A B')]).toEqual([null, null]);
});

test('the address for apps names the service and the user', () => {
  expect(totpUri(RFC_SECRET, { issuer: 'Access Admin', account: 'ada@x' })).toBe(
    'otpauth://totp/Access%20Admin:ada%40x?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Access%20Admin',
  );
});

test('the address for apps has one colon in its label, whatever the name of the user', () => {
  for (const account of ['corp:ada', ':', 'a:b:c', 'a?b&secret=x#/', 'ü: 1']) {
    const uri = new URL(totpUri(RFC_SECRET, { issuer: 'Access Admin', account }));
    const label = uri.pathname.replace(/^\//, '').split(':').map(decodeURIComponent);
    expect([label, uri.searchParams.get('secret')]).toEqual([['Access Admin', account], toBase32(RFC_SECRET)]);
  }
});
