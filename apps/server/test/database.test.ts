import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createEngineDatabase, openFolder } from '@access-admin/harness';
import { openStore } from '@access-admin/store';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type RunOptions, runHere } from './run-here.ts';

const ADDRESS = 'https://acme.example';

/** A database with the schema, and the command on it. */
async function openDatabase() {
  const { url, remove } = await createEngineDatabase(undefined, async (address) => (await openStore(address)).close());
  const store = await openStore(url);
  onTestFinished(async () => {
    await store.close();
    await remove();
  });
  const run = (args: readonly string[], { env, ...options }: RunOptions = {}) =>
    runHere(args, { ...options, env: { DATABASE_URL: url, BASE_ADDRESS: ADDRESS, ...env } });
  const json = async (args: readonly string[], options?: RunOptions) =>
    JSON.parse((await run([...args, '--format', 'json'], options)).out);
  return { url, store, run, json };
}

describe('keys', () => {
  /** The key of the address, as an API makes it at its first start. */
  async function openWithKey() {
    const opened = await openDatabase();
    const { signingKeys } = opened.store;
    const created = '2026-11-22T12:00:00.000Z';
    const privateJwk = '{"kty":"EC","crv":"P-256","x":"x","y":"y","d":"secret"}';
    await signingKeys.createFor({ kid: 'first', issuer: ADDRESS, privateJwk, created });
    return opened;
  }

  test('rotate puts a new key in the place of the one of BASE_ADDRESS, whose tokens are accepted while they live', async () => {
    const { run, json } = await openWithKey();
    const beforeMs = Date.now();
    const { kid, retired, tokensEnd } = await json(['keys', 'rotate']);
    expect(retired).toBe('first');
    expect(Date.parse(tokensEnd)).toBeGreaterThanOrEqual(beforeMs + 15 * 60_000);
    const listed = await json(['keys', 'list']);
    expect(listed.map((key: { kid: string }) => key.kid)).toEqual([kid, 'first']);
    expect(JSON.stringify(listed)).not.toContain('secret');
    const second = await run(['keys', 'rotate']);
    expect(second).toMatchObject({ code: 0, notes: '', out: expect.stringContaining(`${kid} is retired`) });
  });

  test('rotate of a compromised key leaves no token of it valid', async () => {
    const { run, store } = await openWithKey();
    expect((await run(['keys', 'rotate', '--compromised'])).out).toContain('first is retired and verifies no token');
    const [retired] = await store.signingKeys.listRetired();
    expect(Date.parse(retired?.tokensEnd ?? '')).toBeLessThan(Date.parse('2000-01-01'));
    expect((await run(['keys', 'list'])).out).toMatch(/^first .* none$/m);
  });

  test('rotate fails where no key signs for the address', async () => {
    const { run } = await openWithKey();
    expect(await run(['keys', 'rotate'], { env: { BASE_ADDRESS: 'https://other.example' } })).toEqual({
      code: 1,
      out: '',
      notes: 'No key signs for https://other.example: set BASE_ADDRESS as the API has it.\n',
    });
  });
});

describe('clients reset', () => {
  const secretOf = async (url: string, id: string) => {
    await using store = await openStore(url);
    return store.clients.findForToken(id);
  };

  test('makes the bootstrap client where it is missing, and gives it another secret where it is not', async () => {
    const { url, json, run } = await openDatabase();
    const made = await json(['clients', 'reset', '--tenant', 'acme']);
    expect(made).toEqual({ tenant: 'acme', clientId: expect.any(String), clientSecret: expect.any(String) });
    expect(await secretOf(url, made.clientId)).toMatchObject({ tenant: 'acme', isBootstrap: true });
    const first = await secretOf(url, made.clientId);
    const again = await run(['clients', 'reset', '--tenant', 'acme']);
    expect(again).toMatchObject({ code: 0, notes: 'The old secret and its tokens have ended.\n' });
    expect(again.out).toContain(made.clientId);
    expect(again.out).not.toContain(made.clientSecret);
    expect((await secretOf(url, made.clientId))?.secrets.map(({ hash }) => hash)).not.toEqual(
      first?.secrets.map(({ hash }) => hash),
    );
  });

  test('writes the new secret into the file that has kept the old one', async () => {
    const { json, run } = await openDatabase();
    using folder = openFolder('server');
    const { clientId } = await json(['clients', 'reset']);
    await mkdir(join(folder.path, 'var'));
    const file = join(folder.path, 'var/bootstrap-client.json');
    writeFileSync(file, JSON.stringify({ clientId, clientSecret: 'old', tenant: 'default' }));
    const reset = await run(['clients', 'reset'], { folder: folder.path });
    expect(reset.notes).toContain(`The new secret is in ${file} too.`);
    const { clientSecret } = JSON.parse(readFileSync(file, 'utf8'));
    expect(clientSecret).not.toBe('old');
    expect(reset.out).toContain(clientSecret);
  });

  test('says that BOOTSTRAP_CLIENT_SECRET comes back, and needs an id where there are several', async () => {
    const { run } = await openDatabase();
    for (const id of ['one', 'two']) {
      const env = { BOOTSTRAP_CLIENT_ID: id, BOOTSTRAP_CLIENT_SECRET: 's' };
      expect(await run(['clients', 'reset'], { env })).toMatchObject({
        code: 0,
        notes: expect.stringContaining('makes it the secret again'),
      });
    }
    expect(await run(['clients', 'reset'])).toMatchObject({ code: 1, out: '' });
    expect(await run(['clients', 'reset', '--id', 'two'])).toMatchObject({ code: 0 });
  });

  test.each([
    ['--id', 'one two', 'BOOTSTRAP_CLIENT_ID must be'],
    ['--id', 'x'.repeat(129), 'BOOTSTRAP_CLIENT_ID must be'],
    ['--id', '', '--id must not be empty'],
    ['--tenant', '../x', 'TENANT must be'],
    ['--tenant', '', '--tenant must not be empty'],
  ])('refuses what the configuration could not name: %s %j', async (option, value, reason) => {
    const { run } = await openDatabase();
    expect(await run(['clients', 'reset', option, value])).toEqual({
      code: 2,
      out: '',
      notes: expect.stringContaining(reason),
    });
    expect((await run(['clients', 'reset'])).notes).toContain('The client was missing');
  });
});

test.each([[['keys', 'list']], [['keys', 'rotate']], [['clients', 'reset']]])(
  '%j makes no database where there is none',
  async (args) => {
    using folder = openFolder('server');
    const path = join(folder.path, 'access-admin.db');
    expect(await runHere(args, { folder: folder.path, env: { DATABASE_URL: `sqlite:${path}` } })).toEqual({
      code: 1,
      out: '',
      notes: `There is no database at ${path}.\n`,
    });
    expect(existsSync(path)).toBe(false);
  },
);

test('migrate gives an empty database the schema, and tells what it has run', async () => {
  const { url, remove } = await createEngineDatabase();
  onTestFinished(remove);
  const env = { DATABASE_URL: url };
  expect(JSON.parse((await runHere(['migrate', '--format', 'json'], { env })).out).migrated).toEqual(['0001-initial']);
  expect(await runHere(['migrate'], { env })).toMatchObject({
    code: 0,
    out: expect.stringContaining('has the schema of this version'),
  });
});

test('a database that cannot be opened is a failure that says why', async () => {
  expect(await runHere(['migrate'], { env: { DATABASE_URL: 'sqlite:/' } })).toEqual({
    code: 1,
    out: '',
    notes: expect.stringContaining('The store cannot be opened'),
  });
});

describe('restore', () => {
  /** A folder with a database and a backup of it that lacks a later write. */
  async function openWithBackup() {
    const folder = openFolder('server');
    onTestFinished(() => folder[Symbol.dispose]());
    const url = `sqlite:${join(folder.path, 'access-admin.db')}`;
    const options = { folder: folder.path, env: { DATABASE_URL: url } };
    expect((await runHere(['migrate'], options)).code).toBe(0);
    expect((await runHere(['backup', '--to', 'b.db'], options)).code).toBe(0);
    expect((await runHere(['clients', 'reset', '--id', 'later'], options)).code).toBe(0);
    const isThere = async () => {
      await using store = await openStore(url);
      return (await store.clients.findForToken('later')) !== null;
    };
    return { options, isThere };
  }

  test.each([
    ['there is no terminal, and no --yes', undefined, 2, 'confirm it by --yes'],
    ['the person at the terminal declines', false, 1, 'nothing was restored'],
  ])('changes nothing where %s', async (_, answer, code, reason) => {
    const { options, isThere } = await openWithBackup();
    const asked = answer === undefined ? options : { ...options, answer };
    expect(await runHere(['restore', '--from', 'b.db'], asked)).toEqual({
      code,
      out: '',
      notes: expect.stringContaining(reason),
    });
    expect(await isThere()).toBe(true);
  });

  test('a backup takes the place of no device', async () => {
    const { options } = await openWithBackup();
    const target = join(options.folder, 'nowhere');
    symlinkSync('/dev/null', target);
    expect(await runHere(['backup', '--to', target, '--overwrite'], options)).toMatchObject({
      code: 1,
      notes: `${target} is not a file.\n`,
    });
  });

  test.each([
    ['with --yes', ['--yes'], undefined],
    ['once the person at the terminal has confirmed it', [], true],
  ])('replaces the database %s', async (_, more, answer) => {
    const { options, isThere } = await openWithBackup();
    const asked = answer === undefined ? options : { ...options, answer };
    const restored = await runHere(['restore', '--from', 'b.db', '--format', 'json', ...more], asked);
    expect(restored).toMatchObject({ code: 0, notes: '' });
    expect(JSON.parse(restored.out).kept).toMatch(/access-admin\.db\.before-/);
    expect(await isThere()).toBe(false);
  });
});
