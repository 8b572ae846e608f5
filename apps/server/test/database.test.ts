import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
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
    const { run, json, store } = await openWithKey();
    const beforeMs = Date.now();
    const { kid, retired, tokensEnd } = await json(['keys', 'rotate']);
    expect(retired).toBe('first');
    expect(Date.parse(tokensEnd)).toBeGreaterThanOrEqual(beforeMs + 15 * 60_000);
    const told: object[] = [];
    for await (const event of store.audit.export('default')) told.push(event);
    expect(told).toMatchObject([
      { operation: 'rotate-signing-key', actor: { clientId: 'system' }, resource: { type: 'SIGNING_KEY', id: kid } },
    ]);
    const listed = await json(['keys', 'list']);
    expect(listed.map((key: { kid: string }) => key.kid)).toEqual([kid, 'first']);
    expect(JSON.stringify(listed)).not.toContain('secret');
    const second = await run(['keys', 'rotate']);
    expect(second).toMatchObject({ code: 0, notes: '', out: expect.stringContaining(`${kid} is retired`) });
  });

  test('rotate of a compromised key leaves no token of it valid', async () => {
    const { run, store } = await openWithKey();
    expect((await run(['keys', 'rotate', '--compromised'])).out).toContain(
      'first is retired and verifies no token, nor does any key that was retired earlier.',
    );
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

describe('tenants delete on the database', () => {
  /** A database with a key, and two tenants. */
  async function openWithTenants() {
    const opened = await openDatabase();
    const { signingKeys } = opened.store;
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const created = '2026-11-22T12:00:00.000Z';
    const privateJwk = JSON.stringify(privateKey.export({ format: 'jwk' }));
    await signingKeys.createFor({ kid: 'first', issuer: ADDRESS, privateJwk, created });
    for (const tenant of ['default', 'acme'])
      expect((await opened.run(['clients', 'reset', '--tenant', tenant])).code).toBe(0);
    return opened;
  }

  test('removes all of it, and tells it in the audit log of TENANT', async () => {
    const { run, store } = await openWithTenants();
    const head = await store.audit.head('acme');
    const removed = await run(['tenants', 'delete', '--yes', 'acme']);
    expect(removed).toEqual({ code: 0, out: '', notes: expect.stringContaining('acme is removed') });
    expect(await store.tenants.find('acme')).toBeNull();
    expect(await store.tenants.find('default')).not.toBeNull();
    const [sequence = 0] = await store.audit.listSequences(
      'default',
      [{ field: 'resourceType', operator: 'eq', values: ['TENANT'] }],
      { limit: 1, offset: 0 },
    );
    for await (const event of store.audit.read('default', [sequence]))
      expect(event).toMatchObject({
        actor: { clientId: 'system', identityId: null },
        operation: 'delete-tenant',
        resource: { type: 'TENANT', id: 'acme' },
        changes: [{ field: 'created' }, { field: 'auditHead', before: { ...head, signature: expect.any(String) } }],
      });
    expect(sequence).toBeGreaterThan(0);
    expect((await run(['clients', 'reset', '--tenant', 'acme'])).notes).toContain('The client was missing');
  });

  test('goes on with a removal that was begun', async () => {
    const { run, store } = await openWithTenants();
    const context = { tenant: 'default', actor: { clientId: 'c', identityId: null }, operation: 'o', trackingId: 't' };
    await store.tenantRemovals.begin({ ...context, time: '2026-11-22T12:00:00.000Z' }, 'acme', async () => 'signed');
    expect(await run(['clients', 'reset', '--tenant', 'acme'])).toMatchObject({
      code: 1,
      notes: expect.stringContaining('its name is taken'),
    });
    expect((await run(['tenants', 'delete', 'acme', '--yes', 'acme'])).code).toBe(0);
    expect(await store.tenants.find('acme')).toBeNull();
  });

  test.each([
    ['without a confirmation', ['acme'], {}, 2, 'give --yes acme'],
    ['with an empty one', ['--yes', ''], {}, 2, 'Nothing is removed'],
    ['with another name', ['acme', '--yes', 'default'], {}, 2, 'is another name than acme'],
    ['of TENANT', ['--yes', 'default'], {}, 1, 'default is the tenant of the caller'],
    ['of an unknown one', ['--yes', 'nobody'], {}, 1, 'There is no tenant nobody'],
    ['where no key signs', ['--yes', 'acme'], { BASE_ADDRESS: 'https://other.example' }, 1, 'No key signs'],
  ])('removes nothing %s', async (_, args, env, code, reason) => {
    const { run, store } = await openWithTenants();
    expect(await run(['tenants', 'delete', ...args], { env: env as Record<string, string> })).toEqual({
      code,
      out: '',
      notes: expect.stringContaining(reason),
    });
    for (const tenant of ['default', 'acme']) expect((await store.tenants.find(tenant))?.removal).toBeNull();
  });

  test('calls the service that is named instead', async () => {
    const { run, store } = await openWithTenants();
    const service = ['--url', 'http://127.0.0.1:1', '--client-id', 'c', '--client-secret', 's'];
    expect(await run(['tenants', 'delete', '--yes', 'acme', ...service])).toMatchObject({
      code: 1,
      notes: expect.stringContaining('was not reached'),
    });
    expect((await store.tenants.find('acme'))?.removal).toBeNull();
  });
});

test.each([[['keys', 'list']], [['keys', 'rotate']], [['clients', 'reset']], [['tenants', 'delete', '--yes', 'acme']]])(
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

describe('a database that cannot be used is named, with what to do', () => {
  const commands = [
    ['migrate'],
    ['keys', 'list'],
    ['clients', 'reset', '--id', 'c'],
    ['tenants', 'delete', 'acme', '--yes', 'acme'],
    ['backup', '--to', 'b.db'],
    ['doctor'],
  ];

  test.each(commands)('%s %s', async (...args) => {
    using folder = openFolder('server');
    writeFileSync(join(folder.path, 'text.db'), 'no database');
    mkdirSync(join(folder.path, 'folder.db'));
    for (const [name, told] of [
      ['text.db', /(is no SQLite|not a) database: name another file.*, or restore a backup/],
      ['folder.db', /folder\.db is a folder: name a file/],
    ] as const) {
      const path = join(folder.path, name);
      const { code, out, notes } = await runHere(args, {
        folder: folder.path,
        env: { DATABASE_URL: `sqlite:${path}` },
      });
      expect([code, out + notes]).toEqual([1, expect.stringMatching(told)]);
      expect(out + notes).toContain(path);
    }
    expect(readdirSync(folder.path)).toEqual(['folder.db', 'text.db']);
  });

  test.each(commands.slice(1))('%s %s takes an empty file for none', async (...args) => {
    using folder = openFolder('server');
    const path = join(folder.path, 'empty.db');
    writeFileSync(path, '');
    const { code, out, notes } = await runHere(args, { folder: folder.path, env: { DATABASE_URL: `sqlite:${path}` } });
    expect([code, out + notes]).toEqual([1, expect.stringContaining(`${path} is empty: \`access-admin migrate\``)]);
    expect(readdirSync(folder.path)).toEqual(['empty.db']);
  });
});

test('backup names the database whose list of migrations is empty, and not the copy of it', async () => {
  using folder = openFolder('server');
  const path = join(folder.path, 'a.db');
  const options = { folder: folder.path, env: { DATABASE_URL: `sqlite:${path}` } };
  expect((await runHere(['migrate'], options)).code).toBe(0);
  const database = new DatabaseSync(path);
  database.exec('delete from kysely_migration');
  database.close();
  const { code, notes } = await runHere(['backup', '--to', 'b.db'], options);
  expect([code, notes]).toEqual([1, expect.stringContaining(`The schema of ${path} does not fit`)]);
});

test('the password of a PostgreSQL database that is not reached is not shown', async () => {
  const { code, out, notes } = await runHere(['migrate'], {
    env: { DATABASE_URL: 'postgres://u:hidden@127.0.0.1:1/x' },
  });
  expect([code, out]).toEqual([1, '']);
  expect(notes).toMatch(/^The store cannot be opened: (?!.*hidden).*ECONNREFUSED/);
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

  test.each(['/proc/x.db', '/proc/x/y.db'])(
    'a backup to %s, where no file can be made, is a clear failure',
    async (to) => {
      const { options } = await openWithBackup();
      expect(await runHere(['backup', '--to', to], options)).toEqual({
        code: 1,
        out: '',
        notes: expect.stringContaining(`No backup can be made at ${to}: ENOENT`),
      });
    },
  );

  test('a backup tells when it began, once it is good, in a file that others can read', async () => {
    const { options } = await openWithBackup();
    const metrics = join(options.folder, 'access-admin.prom');
    const backUp = (to: string, file = metrics) => runHere(['backup', '--to', to, '--metrics', file], options);
    expect((await backUp('b.db')).code).toBe(1);
    expect(existsSync(metrics)).toBe(false);
    const beforeMs = Date.now();
    expect((await backUp('c.db')).code).toBe(0);
    const [, seconds] = /^access_admin_backup_time_seconds (\d+)$/m.exec(readFileSync(metrics, 'utf8')) ?? [];
    expect(Math.abs(Number(seconds) * 1000 - beforeMs)).toBeLessThan(60_000);
    expect(statSync(metrics).mode & 0o777).toBe(0o644);
    const unwritten = await backUp('d.db', 'none/access-admin.prom');
    expect(unwritten).toEqual({
      code: 1,
      out: expect.stringContaining('is backed up to'),
      notes: expect.stringMatching(/none\/access-admin\.prom: there is no such file/),
    });
    expect(existsSync(join(options.folder, 'd.db'))).toBe(true);
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
    ['only adds', '9999-later', 0, ''],
    ['removed what this version needs', '9999-contract-9998-later', 1, 'removed what this version needs'],
  ])('of a backup of a later version, whose migration %s: %s ends with %i', async (_, migration, code, reason) => {
    const { options, isThere } = await openWithBackup();
    const backup = new DatabaseSync(join(options.folder, 'b.db'));
    backup.prepare('insert into kysely_migration values (?, ?)').run(migration, '2026-03-01T12:00:00.000Z');
    backup.close();
    expect(await runHere(['restore', '--from', 'b.db', '--yes'], options)).toMatchObject({
      code,
      notes: expect.stringContaining(reason),
    });
    expect(await isThere()).toBe(code !== 0);
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
