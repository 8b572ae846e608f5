import { setImmediate } from 'node:timers/promises';
import { concludeWithError, fail, failure, ok } from '@access-admin/domain';
import { describe, expect, test } from 'vitest';
import { openSqliteStore } from '../src/assembly/sqlite.ts';
import { openSqliteConnection } from '../src/engine/sqlite/connection.ts';
import { openSqliteDatabase, type SqliteDatabase } from '../src/engine/sqlite/database.ts';
import { type AuthUserView, StorageUnavailable, type Store } from '../src/index.ts';
import { ensureTenant } from '../src/record/tenants/versions.ts';
import { actIn, entitlement, exportAll, identityProfile, importAll, NOW, people } from './model-records.ts';
import { newCheck } from './new-check.ts';
import { countCommits, newSqliteFile, type SqliteFile } from './sqlite-file.ts';

const MANY = 100_000;
const SPIN_MS = 5;

interface Opened extends AsyncDisposable {
  readonly file: SqliteFile;
  readonly store: Store;
  readonly database: SqliteDatabase;
  /** The committed tenants, as another process sees them. */
  tenants(): readonly string[];
}

/** A store, a connection for writes of the test, and one that observes. */
async function open(): Promise<Opened> {
  const file = await newSqliteFile();
  const store = await openSqliteStore(file);
  const database = await openSqliteDatabase(file.path);
  const watcher = openSqliteConnection(file.path, 'queryOnly');
  return {
    file,
    store,
    database,
    tenants: () => watcher.prepare<[], string>('select tenant from tenant order by rowid').pluck().all(),
    [Symbol.asyncDispose]: async () => {
      watcher.close();
      await database.close();
      await store.close();
      await file[Symbol.asyncDispose]();
    },
  };
}

const names = (count: number) => Array.from({ length: count }, (_, number) => `t-${number}`);

const addTenant = ({ write }: Pick<SqliteDatabase, 'write'>, name: string) =>
  write('shared', (trx) => ensureTenant(trx, name, NOW));

const label = (store: Store, tenant: string, usernameLabel: string) =>
  store.uiMetadata.change(actIn(tenant), { decide: (metadata) => ok({ ...metadata, usernameLabel }) });

const statuses = async (writes: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(writes)).map(({ status }) => status);

describe('the writes of one turn of the event loop', () => {
  test('share a commit, whatever they write and at any depth of callbacks', async () => {
    await using opened = await open();
    const { store, file } = opened;
    await importAll(store, 'acme', people({ 'i-1': [], 'i-2': [] }));
    await store.checks.enqueue(newCheck('first'), MANY);
    const [claimed] = await store.checks.claim({ nowMs: 0, leaseMs: 1_000, limit: 1 });
    if (claimed === undefined) throw new Error('Nothing was claimed.');
    const client = { tenant: 'acme', id: 'c-1', name: 'c', scopes: [], identityId: null, secretHash: '', created: NOW };
    await store.clients.create(actIn('acme'), client);
    const before = await countCommits(file);
    const { result } = concludeWithError({ clientMetadata: null }, '');
    const writes: readonly (() => Promise<unknown>)[] = [
      () =>
        store.authUsers.change(actIn('acme'), 'i-1', {
          decide: ({ user }) => ok({ ...user, capabilities: ['HELPDESK'] }),
        }),
      () =>
        store.authUsers.change(actIn('acme'), 'i-2', {
          decide: ({ user }) => ok({ ...user, capabilities: ['HELPDESK'] }),
        }),
      () =>
        store.authProfiles.change(actIn('acme'), 'ip', { decide: (profile) => ok({ ...profile, offNetwork: true }) }),
      () => label(store, 'acme', 'Name'),
      () => store.clients.delete(actIn('acme'), client.id),
      () => store.signingKeys.createFor({ kid: 'k', issuer: 'i', privateJwk: '{}', created: NOW }),
      () => store.checks.complete([{ ...claimed, state: 'SUCCESS', completed: NOW, result }]),
      () => store.checks.claim({ nowMs: 0, leaseMs: 1_000, limit: 1 }),
    ];
    await Promise.all(
      writes.map(async (write, number) => {
        for (let callback = 0; callback < number % 10; callback++) await null;
        return write();
      }),
    );
    expect(await countCommits(file)).toBe(before + 1);
    expect((await store.authUsers.find('acme', 'i-2'))?.capabilities).toEqual(['HELPDESK']);
    expect(await store.checks.find('acme', 'first')).toMatchObject({ state: 'SUCCESS' });
  });

  test('resolve after their common commit, and listeners are called once before that', async () => {
    await using opened = await open();
    const { store, tenants } = opened;
    let told = 0;
    store.onCommit(() => {
      told += 1;
    });
    const seen = await Promise.all(
      names(50).map(async (name) => {
        await label(store, name, 'Name');
        return `${tenants().length} of them, told ${told} times`;
      }),
    );
    expect(new Set(seen)).toEqual(new Set(['50 of them, told 1 times']));
  });

  test('each see the writes before them', async () => {
    await using opened = await open();
    const { store } = opened;
    await importAll(store, 'acme', people({ 'i-1': ['ORG_ADMIN'], 'i-2': ['ORG_ADMIN'] }));
    const demote = ({ user, otherOrgAdmins }: AuthUserView) =>
      otherOrgAdmins ? ok({ ...user, capabilities: [] }) : fail(failure('Conflict', '', 'last administrator'));
    const append = (name: string) =>
      store.uiMetadata.change(actIn('acme'), {
        decide: (metadata) => ok({ ...metadata, usernameLabel: `${metadata.usernameLabel ?? ''} ${name}` }),
      });
    const [first, second, ...appended] = await Promise.all([
      store.authUsers.change(actIn('acme'), 'i-1', { decide: demote }),
      store.authUsers.change(actIn('acme'), 'i-2', { decide: demote }),
      ...names(250).map(append),
    ]);
    expect([first.ok, second.ok]).toEqual([true, false]);
    expect(appended.at(-1)).toEqual(ok(await store.uiMetadata.read('acme')));
    expect((await store.uiMetadata.read('acme')).usernameLabel).toBe(` ${names(250).join(' ')}`);
  });

  test('let readers be served meanwhile, which see all of them or none', async () => {
    await using opened = await open();
    const { database, store, tenants, file } = opened;
    const before = await countCommits(file).catch(() => 0);
    let isOver = false;
    const writing = Promise.all(
      names(20).map((name) =>
        database.write('shared', async (trx) => {
          await ensureTenant(trx, name, NOW);
          for (const startMs = performance.now(); performance.now() - startMs < SPIN_MS; );
        }),
      ),
    ).finally(() => {
      isOver = true;
    });
    const seen: number[] = [];
    while (!isOver) {
      await store.uiMetadata.read('t-0');
      seen.push(tenants().length);
      await setImmediate();
    }
    await writing;
    expect(seen.filter((count) => count === 0).length).toBeGreaterThan(10);
    expect(seen.filter((count) => count !== 0 && count !== 20)).toEqual([]);
    expect(await countCommits(file)).toBe(before + 1);
  });

  test('do not share the commit of a long write, and earlier ones do not wait for it', async () => {
    await using opened = await open();
    const { store, file, tenants } = opened;
    const before = await countCommits(file).catch(() => 0);
    const answered: string[] = [];
    const note = async (name: string, write: Promise<unknown>) => {
      await write;
      answered.push(`${name}: ${tenants().join(' ')}`);
    };
    const entitlements = names(3_000).map((name) => entitlement(name));
    await Promise.all([
      note('a', label(store, 'a', 'Name')),
      note('b', label(store, 'b', 'Name')),
      note('import', importAll(store, 'imported', entitlements)),
      note('c', label(store, 'c', 'Name')),
      note('d', label(store, 'd', 'Name')),
    ]);
    expect(answered).toEqual([
      'a: a b',
      'b: a b',
      'import: a b imported',
      'c: a b imported c d',
      'd: a b imported c d',
    ]);
    expect(await countCommits(file)).toBe(before + 3);
    expect(await exportAll(store, 'imported')).toHaveLength(3_000);
  });
});

describe('a write that fails', () => {
  const boom = async () => {
    throw new Error('boom');
  };

  test('fails alone and stores nothing, at any position of its group', async () => {
    await using opened = await open();
    const { database, tenants } = opened;
    const failing = () =>
      database.write('shared', async (trx) => {
        await ensureTenant(trx, 'trace', NOW);
        await boom();
      });
    // More than one group, to check the order across groups.
    const good = names(150).map((name) => () => addTenant(database, name));
    const writes = [failing, ...good.slice(0, 2), failing, ...good.slice(2, 60), failing, ...good.slice(60)].map(
      (write) => write(),
    );
    const outcomes = await Promise.allSettled(writes);
    const failed = outcomes.flatMap((outcome, place) =>
      outcome.status === 'rejected' ? [[place, outcome.reason]] : [],
    );
    const reason = new Error('boom');
    expect(failed).toEqual([0, 3, 62].map((place) => [place, reason]));
    expect(tenants()).toEqual(names(150));
  });

  test('fails alone when only the commit fails', async () => {
    await using opened = await open();
    const { store, database, tenants } = opened;
    await importAll(store, 'acme', [identityProfile('ip'), ...people({ 'i-1': [] }).slice(1)]);
    // The foreign key of a deleted profile is checked at the commit.
    const orphan = database.write('shared', async (trx) => {
      database.writer.pragma('defer_foreign_keys = on');
      await trx.deleteFrom('identity_profile').execute();
    });
    const writes = [addTenant(database, 'a'), orphan, addTenant(database, 'b')];
    expect(await statuses(writes)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(tenants()).toEqual(['acme', 'a', 'b']);
    expect(await store.authProfiles.find('acme', 'ip')).not.toBeNull();
  });

  test('for lack of disk space is reported, and smaller writes still succeed', async () => {
    await using opened = await open();
    const { database, tenants } = opened;
    await addTenant(database, 'a');
    const pages = Number(database.writer.pragma('page_count', { simple: true }));
    database.writer.pragma(`max_page_count = ${pages + 2}`);
    const large = 'x'.repeat(100_000);
    const outcomes = await Promise.allSettled(['b', large, 'c'].map((name) => addTenant(database, name)));
    expect(outcomes).toEqual([
      { status: 'fulfilled', value: true },
      { status: 'rejected', reason: expect.any(StorageUnavailable) },
      { status: 'fulfilled', value: true },
    ]);
    expect(tenants()).toEqual(['a', 'b', 'c']);
    database.writer.pragma('max_page_count = 1000000');
    await Promise.all(['d', large].map((name) => addTenant(database, name)));
    expect(tenants()).toEqual(['a', 'b', 'c', 'd', large]);
  });

  test('because of a locked file is repeated with its whole group', async () => {
    await using opened = await open();
    const { database, tenants } = opened;
    const runs: string[] = [];
    const failOnce = database.write('shared', async (trx) => {
      runs.push('once');
      await ensureTenant(trx, 'once', NOW);
      if (runs.length < 3) throw Object.assign(new Error('locked'), { code: 'SQLITE_BUSY' });
    });
    const other = database.write('shared', async (trx) => {
      runs.push('other');
      await ensureTenant(trx, 'other', NOW);
    });
    await Promise.all([failOnce, other]);
    expect(runs).toEqual(['once', 'once', 'once', 'other']);
    expect(tenants()).toEqual(['once', 'other']);
  });
});

describe('closing', () => {
  test('waits for all waiting writes and refuses later ones', async () => {
    await using opened = await open();
    const store = await openSqliteStore(opened.file);
    const imported = importAll(
      store,
      'imported',
      names(2_000).map((name) => entitlement(name)),
    );
    const early = [
      ...names(250).map((name) => label(store, name, 'Name')),
      store.checks.enqueue(newCheck('r-1'), MANY),
    ];
    await setImmediate();
    const closing = store.close();
    const late = label(store, 'late', 'Name');
    await expect(late).rejects.toThrow(StorageUnavailable);
    await closing;
    expect(new Set(await statuses([imported, ...early]))).toEqual(new Set(['fulfilled']));
    expect(opened.tenants()).toEqual(['imported', ...names(250)]);
    expect(await opened.store.checks.find('acme', 'r-1')).not.toBeNull();
  });
});
