import { generateKeyPairSync } from 'node:crypto';
import { createTestDatabase } from '@access-admin/harness';
import { openSecrets, openStore, type Store } from '@access-admin/store';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunOptions, runHere } from './run-here.ts';

const ADDRESS = 'https://{tenant}.access.example';
const SECRET_KEY = 'k'.repeat(32);

async function openDatabase() {
  const { url, remove } = await createTestDatabase(async (address) => (await openStore(address)).close());
  const store = await openStore(url);
  const close = async () => {
    await store.close();
    await remove();
  };
  return { url, store, [Symbol.asyncDispose]: close };
}

/** Two databases with a key each; the first has two tenants. */
async function openTwo() {
  const left = await openDatabase();
  const right = await openDatabase();
  for (const { store } of [left, right]) {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const jwk = privateKey.export({ format: 'jwk' });
    const created = '2026-11-22T12:00:00.000Z';
    await store.signingKeys.createFor({ kid: `k-${jwk.x}`, issuer: ADDRESS, privateJwk: JSON.stringify(jwk), created });
  }
  const run = (args: readonly string[], { env, ...options }: RunOptions = {}) =>
    runHere(args, {
      ...options,
      env: { DATABASE_URL: left.url, TARGET_DATABASE_URL: right.url, BASE_ADDRESS: ADDRESS, ...env },
    });
  for (const tenant of ['default', 'acme']) expect((await run(['clients', 'reset', '--tenant', tenant])).code).toBe(0);
  const refuses = async (
    args: readonly string[],
    {
      env,
      code,
      reason,
    }: { readonly env: Readonly<Record<string, string>>; readonly code: number; readonly reason: string },
  ) => {
    const refused = await run(['tenants', 'move', ...args], { env });
    expect(refused).toEqual({ code, out: '', notes: expect.stringContaining(reason) });
    expect((await left.store.tenants.find('acme'))?.removal).toBeNull();
    expect(await right.store.tenants.find('acme')).toBeNull();
  };
  const close = async () => {
    for (const end of [left, right]) await end[Symbol.asyncDispose]();
  };
  return { left, right, run, refuses, [Symbol.asyncDispose]: close };
}

const useKey = (store: Store, secretKey: string) =>
  openSecrets(store, {
    given: { secretKey, previousSecretKey: null },
    folder: 'none',
    now: () => new Date(),
    log: { info: () => {}, error: () => {} },
  });

test('tenants move takes a tenant to another database, which verifies what was signed and accepts no old token', async () => {
  await using two = await openTwo();
  const { left, right, run } = two;
  const head = await left.store.audit.head('acme');
  const [key] = await left.store.signingKeys.list();
  for (const { store } of [left, right]) expect(await useKey(store, SECRET_KEY)).toMatchObject({ ok: true });
  expect(await run(['tenants', 'move', 'acme'], { env: { SECRET_KEY } })).toEqual({
    code: 0,
    out: '',
    notes: expect.stringContaining('acme is moved'),
  });
  expect((await left.store.tenants.find('acme'))?.removal).not.toBeNull();
  expect((await right.store.tenants.find('acme'))?.removal).toBeNull();
  expect(await right.store.audit.head('acme')).toEqual(head);
  const retired = await right.store.signingKeys.listRetired();
  expect(retired).toMatchObject([{ kid: key?.kid, tokensEnd: '1970-01-01T00:00:00.000Z' }]);
  expect(retired[0]?.publicJwk).not.toContain('"d"');
  const told: unknown[] = [];
  for await (const { operation, resource } of right.store.audit.export('default')) told.push([operation, resource.id]);
  expect(told).toEqual([['move-tenant', 'acme']]);
  // As where the first answer was lost.
  const again = await run(['tenants', 'move', 'acme'], { env: { SECRET_KEY } });
  expect(again).toMatchObject({ code: 0, notes: expect.stringContaining('acme is moved') });
});

describe('tenants move moves nothing', () => {
  let two: Awaited<ReturnType<typeof openTwo>>;
  beforeAll(async () => {
    two = await openTwo();
  });
  afterAll(() => two[Symbol.asyncDispose]());

  test.each([
    ['without a target', ['acme'], { TARGET_DATABASE_URL: '' }, 2, 'TARGET_DATABASE_URL must be postgres://'],
    ['to SQLite', ['acme'], { TARGET_DATABASE_URL: 'sqlite:a.db' }, 2, 'TARGET_DATABASE_URL must be postgres://'],
    ['from SQLite', ['acme'], { DATABASE_URL: 'sqlite:a.db' }, 2, 'DATABASE_URL must be postgres://'],
    ['of TENANT', ['default'], {}, 1, 'default is the tenant of the caller'],
    ['of an unknown tenant', ['nobody'], {}, 1, 'There is no tenant nobody'],
    ['where no key signs', ['acme'], { BASE_ADDRESS: 'https://other.example' }, 1, 'No key signs'],
  ])('%s', async (_, args, env, code, reason) => {
    await two.refuses(args, { env: env as Readonly<Record<string, string>>, code, reason });
  });

  test('within one database', async () => {
    const env = { TARGET_DATABASE_URL: two.left.url };
    await two.refuses(['acme'], { env, code: 2, reason: 'is the database that has the tenant' });
  });

  test('that the other database could not read, or has already', async () => {
    const { left, right, run, refuses } = two;
    await useKey(left.store, SECRET_KEY);
    await refuses(['acme'], { env: {}, code: 1, reason: 'set SECRET_KEY' });
    const wrong = { SECRET_KEY: 'l'.repeat(32) };
    await refuses(['acme'], { env: wrong, code: 1, reason: 'DATABASE_URL: SECRET_KEY' });
    await useKey(right.store, 'm'.repeat(32));
    await refuses(['acme'], { env: { SECRET_KEY }, code: 1, reason: 'TARGET_DATABASE_URL: SECRET_KEY' });
    const ours = await left.store.secretKeys.readCheck();
    const theirs = await right.store.secretKeys.readCheck();
    if (ours === null || theirs === null) throw new Error('A database has no key.');
    await right.store.secretKeys.replaceCheck(theirs, ours);
    expect((await run(['clients', 'reset', '--tenant', 'acme'], { env: { DATABASE_URL: right.url } })).code).toBe(0);
    const { notes } = await run(['tenants', 'move', 'acme'], { env: { SECRET_KEY } });
    expect(notes).toContain('has a tenant acme already');
    expect((await left.store.tenants.find('acme'))?.removal).toBeNull();
  });
});
