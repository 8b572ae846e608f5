import { describe, expect, test } from 'vitest';
import { checkValueOf, createSecretCipher } from './cipher.ts';

const OWNER = { purpose: 'webhook', tenant: 'acme', id: 'w-1' } as const;
const SECRET = Buffer.from('a secret of 24 characters');
const FIRST = 'k'.repeat(32);
const SECOND = 'l'.repeat(32);
const cipher = createSecretCipher({ current: FIRST, previous: null });

describe('secrets at rest', () => {
  test('are opened as they were sealed, and each sealing differs', () => {
    const sealed = [cipher.seal(OWNER, SECRET), cipher.seal(OWNER, SECRET)];
    expect(new Set(sealed).size).toBe(2);
    for (const one of sealed) expect(Buffer.from(cipher.open(OWNER, one) ?? [])).toEqual(SECRET);
    expect(sealed.join()).not.toContain(SECRET.toString('base64url').slice(0, 8));
  });

  test('are opened for their own tenant, id and purpose only', () => {
    const sealed = cipher.seal(OWNER, SECRET);
    for (const other of [{ tenant: 'other' }, { id: 'w-2' }, { purpose: 'totp' as const }])
      expect(cipher.open({ ...OWNER, ...other }, sealed)).toBeNull();
  });

  test('cannot be changed unnoticed', () => {
    const sealed = cipher.seal(OWNER, SECRET);
    const bytes = Buffer.from(sealed.split('.')[2] ?? '', 'base64url');
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(cipher.open(OWNER, `v1.${cipher.keyId}.${changed.toString('base64url')}`)).toBeNull();
    }
    for (const broken of ['', 'v1', `v1.${cipher.keyId}`, `v1.${cipher.keyId}.AAAA`, sealed.replace('v1.', 'v2.')])
      expect(cipher.open(OWNER, broken)).toBeNull();
  });

  test('are opened with the current and the previous key, and sealed with the current one', () => {
    const sealed = cipher.seal(OWNER, SECRET);
    const rotated = createSecretCipher({ current: SECOND, previous: FIRST });
    expect(rotated.open(OWNER, sealed)).not.toBeNull();
    const again = rotated.seal(OWNER, SECRET);
    expect(again.startsWith(`v1.${rotated.keyId}.`)).toBe(true);
    expect(cipher.open(OWNER, again)).toBeNull();
    expect(createSecretCipher({ current: SECOND, previous: null }).open(OWNER, sealed)).toBeNull();
  });

  test('a check value depends on the key and the salt', () => {
    expect(checkValueOf(FIRST, 's')).toBe(checkValueOf(FIRST, 's'));
    expect(new Set([checkValueOf(FIRST, 's'), checkValueOf(FIRST, 't'), checkValueOf(SECOND, 's')]).size).toBe(3);
  });
});
