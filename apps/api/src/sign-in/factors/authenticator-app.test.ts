import { randomBytes } from 'node:crypto';
import { createSecretCipher } from '@access-admin/store';
import { expect, test } from 'vitest';
import { codeOfStep } from '../../../test/totp-code.ts';
import { createAuthenticatorApp, fromBase32, stepAt } from './totp.ts';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const NAMES = { issuer: 'Access Admin', account: 'ada' };

function createApp(hasKey = true) {
  let last = 0;
  return createAuthenticatorApp({
    cipher: hasKey ? createSecretCipher({ current: 'k'.repeat(32), previous: null }) : null,
    credentials: {
      useTotpStep: async (_tenant, _identityId, step) => {
        const isNew = step > last;
        last = Math.max(last, step);
        return isNew;
      },
    },
    now: () => NOW,
    newBytes: randomBytes,
  });
}

const codeOf = (secret: string, drift = 0) =>
  codeOfStep(fromBase32(secret) ?? Buffer.alloc(0), stepAt(NOW.getTime()) + drift);

const ENROLLED = { lastStep: 0, created: NOW.toISOString(), usedLink: null };

test('a secret is confirmed by its code, sealed for its identity, and each code is right once', async () => {
  const app = createApp();
  const { secret, uri } = app.create(NAMES);
  expect(uri).toContain(`secret=${secret}&`);
  expect(app.confirm(secret, codeOf(secret))).toBe(stepAt(NOW.getTime()));
  expect(app.confirm(secret, '000000')).toBeNull();
  expect(app.confirm('AAAA', codeOf('AAAA'))).toBeNull();
  const sealed = app.seal('acme', 'ada', secret) ?? '';
  expect(sealed).not.toContain(secret);
  const ada = { id: 'ada', totp: { secret: sealed, ...ENROLLED } };
  expect(await app.verify('acme', ada, codeOf(secret))).toBe(true);
  expect(await app.verify('acme', ada, codeOf(secret))).toBe(false);
  // A secret that was copied to another identity, or to another tenant, is none.
  expect(await app.verify('acme', { ...ada, id: 'bob' }, codeOf(secret, 1))).toBe(false);
  expect(await app.verify('other', ada, codeOf(secret, 1))).toBe(false);
  expect(await app.verify('acme', { id: 'ada', totp: null }, codeOf(secret, 1))).toBe(false);
  expect(await app.verify('acme', ada, codeOf(secret, 1))).toBe(true);
});

test('without a key no secret is sealed', async () => {
  const app = createApp(false);
  const { secret } = app.create(NAMES);
  expect([app.isAvailable, app.seal('acme', 'ada', secret)]).toEqual([false, null]);
  expect(await app.verify('acme', { id: 'ada', totp: { secret: 'v1.x.y', ...ENROLLED } }, codeOf(secret))).toBe(false);
});
