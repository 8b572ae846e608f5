import { readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { ok } from '@access-admin/domain';
import { describe, expect, test } from 'vitest';
import { createUiMetadataStore } from '../src/administration/ui-metadata.ts';
import { migrate } from '../src/engine/migrate.ts';
import { openSqliteConnection } from '../src/engine/sqlite/connection.ts';
import { openSqliteDatabase } from '../src/engine/sqlite/database.ts';
import {
  DATABASE_URL_RULE,
  openSqliteStore,
  openStore,
  StorageFull,
  StorageUnavailable,
  type Store,
} from '../src/index.ts';
import { actIn, exportAll, importAll, people } from './model-records.ts';
import { newCheck } from './new-check.ts';
import { countCommits, newSqliteFile, type SqliteFile } from './sqlite-file.ts';

const open = ({ path }: SqliteFile): Promise<Store> => openStore(`sqlite:${path}`);

/** A store whose writes wait for a locked file as long as a busy machine may need to release it. */
const openPatient = ({ path }: SqliteFile) => openSqliteStore({ path, limits: { retryMs: 60_000 } });

describe('opening a file', () => {
  test.each(['postgres:db', 'mysql://localhost/db', 'sqlite:', 'sqlite::memory:', 'var/store.db'])(
    'refuses %s',
    async (url) => {
      await expect(openStore(url)).rejects.toThrow(DATABASE_URL_RULE);
    },
  );

  test('creates it and its directories with access for the owner only', async () => {
    await using file = await newSqliteFile();
    await using store = await open(file);
    await importAll(store, 'acme', []);
    const modeOf = async (path: string) => (await stat(path)).mode & 0o777;
    expect(await modeOf(join(file.directory, 'made'))).toBe(0o700);
    expect(await modeOf(join(file.directory, 'made', 'for it'))).toBe(0o700);
    for (const suffix of ['', '-wal', '-shm']) expect(await modeOf(file.path + suffix)).toBe(0o600);
  });

  // Elsewhere than on Linux such a place has another error.
  test.runIf(process.platform === 'linux').each(['/proc/x.db', '/proc/x/y/store.db'])('fails at %s', async (path) => {
    await expect(openStore(`sqlite:${path}`)).rejects.toThrow('ENOENT: no such file or directory');
  });

  test.each([
    { mode: 'readWrite', queryOnly: 0 },
    { mode: 'queryOnly', queryOnly: 1 },
  ] as const)(
    'a connection to $mode commits durably, checks references and waits briefly',
    async ({ mode, queryOnly }) => {
      await using file = await newSqliteFile();
      await (await open(file)).close();
      const connection = openSqliteConnection(file.path, mode);
      const setting = (pragma: string) => connection.pragma(pragma, { simple: true });
      expect(setting('journal_mode')).toBe('wal');
      expect(setting('synchronous')).toBe(2);
      expect(setting('foreign_keys')).toBe(1);
      expect(setting('query_only')).toBe(queryOnly);
      expect(setting('busy_timeout')).toBeLessThanOrEqual(100);
      connection.close();
    },
  );

  test('fails when a setting does not take', () => {
    expect(() => openSqliteConnection(':memory:', 'readWrite')).toThrow('did not take journal_mode = wal');
  });

  test('fails when the schema of the file lacks what this version needs, and says so on ping', async () => {
    await using file = await newSqliteFile();
    await using store = await open(file);
    const connection = openSqliteConnection(file.path, 'readWrite');
    connection.exec(`update kysely_migration set name = '0002-other'`);
    connection.close();
    await expect(store.ping()).rejects.toThrow('it has 0002-other and lacks 0001-initial');
    await expect(open(file)).rejects.toThrow('0002-other');
  });
});

describe('the write-ahead log', () => {
  test('grows by one commit for 250 checks of one turn of the event loop', async () => {
    await using file = await newSqliteFile();
    await using store = await open(file);
    const before = await countCommits(file);
    // Some calls come from callbacks of others, like those of several requests.
    const enqueue = async (prefix: string, number: number) => {
      for (let callback = 0; callback < number % 10; callback++) await null;
      return store.checks.enqueue(newCheck(`${prefix}-${number}`), 1_000);
    };
    const enqueueAll = (prefix: string) =>
      Promise.all(Array.from({ length: 250 }, (_, number) => enqueue(prefix, number)));
    await enqueueAll('a');
    expect(await countCommits(file)).toBe(before + 1);
    await enqueueAll('b');
    expect(await countCommits(file)).toBe(before + 2);
  });

  test('is not written by calls that change nothing', async () => {
    await using file = await newSqliteFile();
    await using store = await open(file);
    await importAll(store, 'acme', people({ 'i-1': ['HELPDESK'] }));
    await store.checks.enqueue(newCheck('r-1'), 1);
    const request = { nowMs: 0, leaseMs: 1_000, limit: 10 };
    expect(await store.checks.claim(request)).toHaveLength(1);
    const log = () => readFile(`${file.path}-wal`);
    const before = await log();
    expect(await store.checks.claim(request)).toEqual([]);
    expect(await store.checks.enqueue(newCheck('r-2'), 1)).toBe('backlogFull');
    expect(await store.checks.complete([])).toBe(0);
    await store.authUsers.change(actIn('acme'), 'i-1', { decide: ({ user }) => ok(user) });
    await importAll(store, 'acme', people({ 'i-1': ['HELPDESK'] }));
    expect((await log()).equals(before)).toBe(true);
  });

  test('may be truncated between commits without a listener missing one', async () => {
    await using file = await newSqliteFile();
    await using store = await open(file);
    const other = openSqliteConnection(file.path, 'readWrite');
    for (let round = 0; round < 10; round++) {
      other.pragma('wal_checkpoint(truncate)');
      const told = new Promise<void>((resolve) => store.onCommit(() => resolve()));
      other.exec(`insert into event_head (tenant, sequence, removed_to) values ('t-${round}', 0, 0)`);
      await told;
    }
    other.close();
  });
});

describe('a recorded denial', () => {
  const client = (id: string) => ({
    tenant: 'acme',
    id,
    name: id,
    scopes: [],
    identityId: null,
    secretHash: 'x',
    created: '',
  });
  const record = (store: Store) => store.audit.recordDenial(actIn('acme'), { type: 'AUTH_USER', id: 'i-1' });

  /** Two stores on a file. The first has cached two clients. */
  async function openBoth(file: SqliteFile) {
    const store = await open(file);
    const other = await open(file);
    for (const id of ['c-1', 'c-2']) await store.clients.create(actIn('acme'), client(id));
    const find = (id: string) => store.clients.findCaller('acme', id);
    for (const id of ['c-1', 'c-2']) await find(id);
    await setImmediate();
    const close = () => Promise.all([store.close(), other.close()]);
    return { store, other, find, [Symbol.asyncDispose]: async () => void (await close()) };
  }

  test('does not clear cached reads or call listeners of its process', async () => {
    await using file = await newSqliteFile();
    await using both = await openBoth(file);
    const { store, find } = both;
    let told = 0;
    store.onCommit(() => told++);
    for (let count = 0; count < 3; count++) await record(store);
    // The first read of a turn polls for changes.
    await setImmediate();
    await find('c-1');
    expect(find('c-2')).not.toBeInstanceOf(Promise);
    for (let turn = 0; turn < 20; turn++) await setImmediate();
    expect(told).toBe(0);
  });

  test('hides no change of any process', async () => {
    await using file = await newSqliteFile();
    await using both = await openBoth(file);
    const { store, other, find } = both;
    await other.clients.delete(actIn('acme'), 'c-1');
    await record(store);
    await setImmediate();
    await find('c-3');
    expect(await find('c-1')).toBeNull();
    // The denial shares the commit of the change.
    await Promise.all([record(store), store.clients.delete(actIn('acme'), 'c-2'), record(store)]);
    expect(await find('c-2')).toBeNull();
    expect(await find('c-4')).toBeNull();
    await store.clients.create(actIn('acme'), client('c-4'));
    await record(store);
    expect(await find('c-4')).not.toBeNull();
  });
});

describe('a file that another process has locked', () => {
  test('fails writes after a time limit while it serves reads', async () => {
    await using file = await newSqliteFile();
    await (await open(file)).close();
    await using store = await openSqliteStore({ path: file.path, limits: { retryMs: 200 } });
    const other = openSqliteConnection(file.path, 'readWrite');
    other.exec('begin immediate');
    let reads = 0;
    let isOver = false;
    const label = () =>
      store.uiMetadata.change(actIn('acme'), { decide: (metadata) => ok({ ...metadata, usernameLabel: 'new' }) });
    // The import has its own commit, which later writes wait for.
    const writes = [
      ...Array.from({ length: 600 }, label),
      store.checks.enqueue(newCheck('r-1'), 1),
      importAll(store, 'acme', people({})),
      label(),
    ];
    const outcomes = Promise.allSettled(writes).finally(() => {
      isOver = true;
    });
    while (!isOver) {
      expect(await store.clients.findCaller('acme', 'c-1')).toBeNull();
      await setImmediate();
      reads += 1;
    }
    for (const outcome of await outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(StorageUnavailable) });
    }
    // The groups of writes are tried one after the other, with reads between the attempts.
    expect(reads).toBeGreaterThan(6);
    other.exec('rollback');
    expect(await store.uiMetadata.read('acme')).toMatchObject({ usernameLabel: null });
    other.close();
  });

  test('is written as soon as it is free', async () => {
    await using file = await newSqliteFile();
    await using store = await openPatient(file);
    const other = openSqliteConnection(file.path, 'readWrite');
    other.exec('begin immediate');
    const writing = store.uiMetadata.change(actIn('acme'), {
      decide: (metadata) => ok({ ...metadata, usernameLabel: 'new' }),
    });
    const storing = store.checks.enqueue(newCheck('r-1'), 1);
    for (let turn = 0; turn < 20; turn++) await setImmediate();
    other.exec('commit');
    expect([(await writing).ok, await storing]).toEqual([true, 'stored']);
    other.close();
  });
});

test('a snapshot that cannot be read leaves no connection behind', async () => {
  await using file = await newSqliteFile();
  const path = join(file.directory, 'empty.db');
  const database = await openSqliteDatabase(path);
  await expect(database.openSnapshot('load', 'acme')).rejects.toThrow('no such table');
  await database.close();
  // The last connection deletes the log.
  await expect(stat(`${path}-wal`)).rejects.toThrow('ENOENT');
});

test('a missing file is not created again, and its data is available when it is put back', async () => {
  await using file = await newSqliteFile();
  await using store = await open(file);
  await importAll(store, 'acme', people({ 'i-1': ['HELPDESK'] }));
  await rename(file.path, `${file.path}.away`);
  await expect(store.sod.loadRulebook('acme')).rejects.toThrow(StorageUnavailable);
  await expect(stat(file.path)).rejects.toThrow('ENOENT');
  await store.checks.enqueue(newCheck('r-1'), 1);
  await rename(`${file.path}.away`, file.path);
  expect(await exportAll(store, 'acme')).toHaveLength(2);
  expect(await store.checks.find('acme', 'r-1')).toMatchObject({ state: 'PENDING' });
});

describe('a full disk', () => {
  test('fails writes that do not fit, keeps the stored data and recovers by itself', async () => {
    await using file = await newSqliteFile();
    await (await open(file)).close();
    const database = await openSqliteDatabase(file.path);
    await migrate(database);
    const uiMetadata = createUiMetadataStore(database);
    const set = (usernameLabel: string) =>
      uiMetadata.change(actIn('acme'), { decide: (metadata) => ok({ ...metadata, usernameLabel }) });
    await set('small');
    const pages = Number(database.writer.pragma('page_count', { simple: true }));
    database.writer.pragma(`max_page_count = ${pages + 2}`);
    await expect(set('x'.repeat(100_000))).rejects.toThrow(StorageFull);
    expect(await uiMetadata.read('acme')).toMatchObject({ usernameLabel: 'small' });
    expect(await set('other')).toMatchObject({ ok: true });
    database.writer.pragma('max_page_count = 1000000');
    expect(await set('x'.repeat(100_000))).toMatchObject({ ok: true });
    await database.close();
  });
});
