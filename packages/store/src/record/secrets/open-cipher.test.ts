import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { KeyCheck } from '../../schema/tables/secret-key.ts';
import type { SecretKeyStore } from './keys.ts';
import { isSecretKey, type OpenCipherDeps, openSecretCipher } from './open-cipher.ts';

const FIRST = 'k'.repeat(32);
const SECOND = 'l'.repeat(32);
const OWNER = { purpose: 'webhook', tenant: 'acme', id: 'w-1' } as const;

function createKeys(): SecretKeyStore {
  let check: KeyCheck | null = null;
  return {
    readCheck: async () => check,
    createCheck: async (given) => {
      check ??= given;
      return check;
    },
    replaceCheck: async (_, after) => {
      check = after;
    },
  };
}

function open(overrides: Partial<OpenCipherDeps> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'keys-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const deps: OpenCipherDeps = {
    keys: createKeys(),
    engine: 'postgres',
    folder,
    now: () => new Date(0),
    given: { secretKey: null, previousSecretKey: null },
    ...overrides,
  };
  const again = (more: Partial<OpenCipherDeps>) => openSecretCipher({ ...deps, ...more });
  return { folder, again, opened: openSecretCipher(deps) };
}

const given = (secretKey: string | null, previousSecretKey: string | null = null) => ({
  given: { secretKey, previousSecretKey },
});

describe('the key of secrets', () => {
  test('is made once with SQLite, by the first of several processes, for its owner only', async () => {
    const { folder, again, opened } = open({ engine: 'sqlite' });
    const ciphers = await Promise.all([opened, again({}), again({}), again({})]);
    const ids = ciphers.map((cipher) => (cipher.ok ? cipher.value?.keyId : cipher.failure));
    expect(new Set(ids).size).toBe(1);
    expect(isSecretKey(readFileSync(join(folder, 'secret-key'), 'utf8').trim())).toBe(true);
    expect(statSync(join(folder, 'secret-key')).mode & 0o777).toBe(0o600);
  });

  test('is not made again for a database whose key is gone', async () => {
    const { folder, again, opened } = open({ engine: 'sqlite' });
    await opened;
    rmSync(join(folder, 'secret-key'));
    expect(await again({})).toMatchObject({ ok: false, failure: expect.stringMatching(/^The key .* is missing\./) });
  });

  test('is not needed on PostgreSQL, and none is made', async () => {
    const { opened, folder } = open();
    expect(await opened).toEqual({ ok: true, value: null });
    expect(() => statSync(join(folder, 'secret-key'))).toThrow();
  });

  test('is refused when it is not the one of the database, in one line that has no key', async () => {
    const { opened, again } = open(given(FIRST));
    expect((await opened).ok).toBe(true);
    const refused = await again(given(SECOND));
    expect(refused).toMatchObject({ ok: false, failure: expect.not.stringContaining('\n') });
    expect(JSON.stringify(refused)).not.toMatch(/kkk|lll/);
    expect((await again(given(FIRST))).ok).toBe(true);
  });

  test('is replaced while the previous one is given, and then the previous one alone is refused', async () => {
    const { opened, again } = open(given(FIRST));
    const before = await opened;
    const sealed = (before.ok && before.value?.seal(OWNER, Buffer.from('s'))) || '';
    expect((await again(given(SECOND, 'm'.repeat(32)))).ok).toBe(false);
    const after = await again(given(SECOND, FIRST));
    expect(after.ok && Buffer.from(after.value?.open(OWNER, sealed) ?? []).toString()).toBe('s');
    expect((await again(given(SECOND, FIRST))).ok).toBe(true);
    expect((await again(given(SECOND))).ok).toBe(true);
    expect((await again(given(FIRST))).ok).toBe(false);
  });
});
