import fc from 'fast-check';
import { createGuardrails, generateSync, NobleCryptoPlugin, ScureBase32Plugin } from 'otplib';
import { describe, expect, test } from 'vitest';
import { codeOfStep, findStep, fromBase32, stepAt, toBase32, totpUri } from './totp.ts';

const RFC_SECRET = Buffer.from('12345678901234567890');

describe('a code', () => {
  test.each([
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ])('of RFC 6238 at %s s is %s', (seconds, code) => {
    expect(codeOfStep(RFC_SECRET, stepAt(seconds * 1_000), 8)).toBe(code);
  });

  test('is that of another implementation', () => {
    const guardrails = createGuardrails({ MIN_SECRET_BYTES: 10 });
    const plugins = { crypto: new NobleCryptoPlugin(), base32: new ScureBase32Plugin(), guardrails };
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 16, maxLength: 32 }),
        fc.integer({ min: 0, max: 2 ** 33 }),
        (secret, epoch) => {
          const theirs = generateSync({ ...plugins, strategy: 'totp', secret: toBase32(secret), epoch });
          expect(codeOfStep(secret, stepAt(epoch * 1_000))).toBe(theirs);
        },
      ),
    );
  });
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
      expect(toBase32(bytes)).toBe(new ScureBase32Plugin().encode(bytes, { padding: false }));
    }),
  );
  expect([fromBase32('1'), fromBase32('A B')]).toEqual([null, null]);
});

test('the address for apps names the service and the user', () => {
  expect(totpUri(RFC_SECRET, { issuer: 'Access Admin', account: 'ada@x' })).toBe(
    'otpauth://totp/Access%20Admin:ada%40x?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Access%20Admin',
  );
});
