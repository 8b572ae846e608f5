import { concludeWithError, fail, failure, ok } from '@access-admin/domain';
import { createTestDatabase, startPostgres } from '@access-admin/harness';
import { sql } from 'kysely';
import pg from 'pg';
import { describe, expect, test, vi } from 'vitest';
import { openPostgresStore } from '../src/assembly/postgres.ts';
import { POSTGRES_LIMITS, type PostgresLimits } from '../src/engine/postgres/limits.ts';
import { openSqliteConnection } from '../src/engine/sqlite/connection.ts';
import { type ClaimedCheck, openStore, StorageUnavailable, type Store } from '../src/index.ts';
import { type CutProxy, openCutProxy } from './cut-proxy.ts';
import { openEngineDatabase } from './engine-database.ts';
import { actIn, importAll, NOW, people } from './model-records.ts';
import { newCheck } from './new-check.ts';
import { newSqliteFile } from './sqlite-file.ts';
import { migrate } from './store-engine.ts';

const MANY = 100_000;

const LONG_MS = 60_000;
/** Limits that even a busy machine does not reach. A test of a limit sets it lower. */
const PATIENT: PostgresLimits = {
  ...POSTGRES_LIMITS,
  connectMs: LONG_MS,
  statementMs: LONG_MS,
  lockMs: LONG_MS,
  responseMs: LONG_MS,
  retryMs: LONG_MS,
  unknownOutcomeMs: LONG_MS,
  pingMs: LONG_MS,
  pollEveryMs: 20,
  reconnectMs: 20,
};

interface Opened extends AsyncDisposable {
  readonly store: Store;
  readonly proxy: CutProxy;
  /** A statement of another process. */
  query(text: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Another such connection. */
  connect(): Promise<pg.Client>;
}

/** A store with connections through a proxy that can fail. */
async function open(limits: Partial<PostgresLimits> = {}): Promise<Opened> {
  const { url, remove } = await createTestDatabase(migrate);
  const proxy = await openCutProxy(url);
  const store = await openPostgresStore({ url: proxy.url, limits: { ...PATIENT, ...limits } });
  const clients: pg.Client[] = [];
  const connect = async () => {
    const client = new pg.Client({ connectionString: url });
    clients.push(client);
    await client.connect();
    return client;
  };
  const client = await connect();
  return {
    store,
    proxy,
    connect,
    query: async (text) => (await client.query(text)).rows,
    [Symbol.asyncDispose]: async () => {
      for (const each of clients) await each.end();
      await store.close();
      await proxy[Symbol.asyncDispose]();
      await remove();
    },
  };
}

/** Tells that another process has changed cached reads. */
const CHANGE = `update tenant_change set version = version + 1, previous_id = write_id, write_id = 'of another' where line = '';`;

const client = (id: string) => ({
  tenant: 'acme',
  id,
  name: id,
  scopes: [],
  identityId: null,
  created: NOW,
  secretHash: 'x',
});

const append = (store: Store, text: string) =>
  store.uiMetadata.change(actIn('acme'), {
    decide: (metadata) => ok({ ...metadata, usernameLabel: `${metadata.usernameLabel ?? ''}${text}` }),
  });

const labelOf = async (store: Store) => (await store.uiMetadata.read('acme')).usernameLabel;

async function expectUnavailable(...calls: readonly Promise<unknown>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(calls)) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(StorageUnavailable) });
  }
}

async function isRemembered(store: Store): Promise<boolean> {
  const caller = store.clients.findCaller('acme', 'c-1');
  await caller;
  return !(caller instanceof Promise);
}

const waitUntil = (condition: () => Promise<boolean>) => vi.waitUntil(condition, { interval: 2, timeout: LONG_MS });

/** Repeats a call until the storage is available. */
const untilAvailable = <T>(call: () => Promise<T>): Promise<T> => vi.waitFor(call, { interval: 2, timeout: LONG_MS });

describe('a connection that breaks', () => {
  test.each(['before', 'after'] as const)('%s its commit leaves a write done once', async (when) => {
    await using opened = await open();
    const { store, proxy } = opened;
    await append(store, 'a');
    proxy.cutAt('commit\0', when);
    expect(await append(store, 'b')).toMatchObject({ ok: true });
    expect(await labelOf(store)).toBe('ab');
    proxy.cutAt('insert into "oauth_client"', when);
    expect(await store.clients.create(actIn('acme'), client('c-1'))).toBe('created');
    proxy.cutAt('commit\0', when);
    expect(await store.clients.create(actIn('acme'), client('c-2'))).toBe('created');
    expect(await store.clients.count('acme')).toBe(2);
  });

  test('during a commit that was followed by other writes makes the outcome unknown', async () => {
    await using opened = await open();
    const { store, proxy, query } = opened;
    await append(store, 'a');
    // It must not read before the other one has written.
    proxy.cutAt('commit\0', 'after', () => proxy.hang(true));
    const write = append(store, 'b');
    await waitUntil(async () => (await query('select username_label from tenant'))[0]?.['username_label'] === 'ab');
    await query(`update tenant_change set previous_id = 'of another', write_id = 'of a third'`);
    proxy.hang(false);
    await expect(write).rejects.toThrow('the outcome of a write is unknown');
  });

  test.each(['before', 'after'] as const)('%s a check is stored leaves it stored once', async (when) => {
    await using opened = await open();
    const { store, proxy } = opened;
    proxy.cutAt('insert into sod_check', when);
    const outcomes = await Promise.all(['r-1', 'r-2'].map((id) => store.checks.enqueue(newCheck(id), MANY)));
    expect(outcomes).toEqual(['stored', 'stored']);
    expect((await store.checks.measureBacklog()).depth).toBe(2);
  });

  test('of one connection without an error is noticed, and the check is stored on another', async () => {
    await using opened = await open({ responseMs: 1_000 });
    const { store, proxy } = opened;
    expect(await store.checks.enqueue(newCheck('r-1'), MANY)).toBe('stored');
    proxy.silenceAt('r-2');
    expect(await store.checks.enqueue(newCheck('r-2'), MANY)).toBe('stored');
    expect((await store.checks.measureBacklog()).depth).toBe(2);
  });

  test('refuses a waiting write that was not tried, rather than making its outcome unknown', async () => {
    await using opened = await open({ connectMs: 500, unknownOutcomeMs: 300, queueMs: 100 });
    const { store, proxy } = opened;
    await append(store, 'a');
    proxy.cutAt('commit\0', 'after', () => proxy.hang(true));
    const [first, second] = await Promise.allSettled([append(store, 'b'), append(store, 'c')]);
    proxy.hang(false);
    expect(first).toMatchObject({ status: 'rejected', reason: { name: 'OutcomeUnknown' } });
    expect(second).toMatchObject({ status: 'rejected', reason: { name: 'StorageUnavailable' } });
  });

  test.each(['before', 'after'] as const)('%s a result is stored leaves it stored once', async (when) => {
    await using opened = await open();
    const { checks } = opened.store;
    await checks.enqueue(newCheck('r-1'), MANY);
    const claimed = await checks.claim({ nowMs: 0, leaseMs: 1_000, limit: 1 });
    const arisen: unknown[] = [];
    opened.store.onCommit((arising) => arisen.push(arising));
    opened.proxy.cutAt('update "sod_check" set', when);
    const { result } = concludeWithError({ clientMetadata: null }, 'mine');
    await checks.complete(claimed.map((check) => ({ ...check, state: 'SUCCESS', completed: NOW, result })));
    expect(await checks.find('acme', 'r-1')).toMatchObject({ state: 'SUCCESS', result });
    expect(arisen).toContain('events');
  });

  test.each(['claim', 'renew'] as const)(
    'at a %s fails it after the time of a retry: a lease whose outcome is unknown ends by itself',
    async (call) => {
      await using opened = await open({ retryMs: 100 });
      const { store, proxy } = opened;
      await store.checks.enqueue(newCheck('r-1'), MANY);
      const claim = () => store.checks.claim({ nowMs: 0, leaseMs: 1_000, limit: 1 });
      const renew = async (claimed: readonly ClaimedCheck[]) => store.checks.renew(claimed, 2_000);
      const claimed = call === 'claim' ? [] : await claim();
      proxy.cutAt('update "sod_check" set', 'after', () => void proxy.refuse(true));
      await expect(call === 'claim' ? claim() : renew(claimed)).rejects.toMatchObject({ name: 'StorageUnavailable' });
    },
  );

  test('is not noticed by readers or listeners', async () => {
    await using opened = await open();
    const { store, proxy } = opened;
    await importAll(store, 'acme', people({ 'i-1': ['HELPDESK'] }));
    for (let round = 0; round < 5; round++) {
      proxy.cutAll();
      expect((await store.authUsers.find('acme', 'i-1'))?.capabilities).toEqual(['HELPDESK']);
      const { promise: told, resolve } = Promise.withResolvers<void>();
      const leave = store.onCommit(() => resolve());
      await told;
      leave();
    }
  });

  test('while a decision is made repeats the decision on the current data', async () => {
    await using opened = await open();
    const { store, proxy } = opened;
    await importAll(store, 'acme', people({ 'i-1': ['ORG_ADMIN'], 'i-2': ['ORG_ADMIN'] }));
    const seen: boolean[] = [];
    const outcome = await store.authUsers.change(actIn('acme'), 'i-1', {
      decide: ({ user, otherOrgAdmins }) => {
        if (seen.push(otherOrgAdmins) === 1) proxy.cutAll();
        return otherOrgAdmins ? ok({ ...user, capabilities: [] }) : fail(failure('Conflict', '', 'last'));
      },
    });
    expect([outcome.ok, seen]).toEqual([true, [true, true]]);
  });
});

describe('a server that does not respond', () => {
  test('fails pings, ends the use of cached reads, and is used again when it responds', async () => {
    await using opened = await open({ pingMs: 500, freshMs: 300 });
    const { store, proxy } = opened;
    await store.clients.create(actIn('acme'), client('c-1'));
    await waitUntil(() => isRemembered(store));
    proxy.hang(true);
    await expect(store.ping()).rejects.toThrow(StorageUnavailable);
    const reads: unknown[] = [];
    await waitUntil(async () => {
      reads.push(store.clients.findCaller('acme', 'c-1'));
      return reads.at(-1) instanceof Promise;
    });
    proxy.hang(false);
    expect(await reads.at(-1)).not.toBeNull();
    await untilAvailable(store.ping);
  });

  test('for a long time fails the waiting calls', async () => {
    const limits = { connectMs: 500, responseMs: 1_000, retryMs: 500, unknownOutcomeMs: 500, pingMs: 500 };
    await using opened = await open(limits);
    const { store, proxy } = opened;
    await untilAvailable(() => store.clients.create(actIn('acme'), client('c-1')));
    proxy.hang(true);
    await expectUnavailable(store.clients.delete(actIn('acme'), 'c-1'), store.checks.enqueue(newCheck('r-1'), MANY));
    proxy.hang(false);
    await untilAvailable(store.ping);
    expect(await untilAvailable(() => store.checks.enqueue(newCheck('r-2'), MANY))).toBe('stored');
  });
});

test('changes by other processes are seen without a notification', async () => {
  await using opened = await open();
  const { store, query } = opened;
  await store.clients.create(actIn('acme'), client('c-1'));
  for (let round = 0; round < 3; round++) {
    await waitUntil(() => isRemembered(store));
    await query(`begin; update oauth_client set identity_id = 'i-${round}';
      ${CHANGE} commit`);
    await waitUntil(async () => (await store.clients.findCaller('acme', 'c-1'))?.identityId === `i-${round}`);
  }
});

test('changes are seen when transactions end in another order than they began', async () => {
  await using opened = await open();
  const { store, query } = opened;
  await store.clients.create(actIn('acme'), client('c-1'));
  await query(`begin; select pg_current_xact_id(); update oauth_client set identity_id = 'early'`);
  // This transaction begins later, ends earlier and is seen before the first ends.
  await append(store, 'x');
  await waitUntil(() => isRemembered(store));
  await query(`${CHANGE} commit`);
  await waitUntil(async () => (await store.clients.findCaller('acme', 'c-1'))?.identityId === 'early');
});

describe('a recorded denial', () => {
  const record = (store: Store, tenant = 'acme') =>
    store.audit.recordDenial(actIn(tenant), { type: 'AUTH_USER', id: 'i-1' });

  test('does not clear cached reads', async () => {
    await using opened = await open();
    const { store } = opened;
    await store.clients.create(actIn('acme'), client('c-1'));
    const isKept = async () => {
      await waitUntil(() => isRemembered(store));
      await record(store);
      return !(store.clients.findCaller('acme', 'c-1') instanceof Promise);
    };
    // On a busy machine the first attempt may find nothing fresh.
    await waitUntil(isKept);
  });

  test('does not notify other processes or listeners', async () => {
    await using opened = await open({ notifyEveryMs: LONG_MS });
    const { store, query } = opened;
    const changes = () =>
      query('select tenant, line, version from tenant_change where version > 0 order by tenant, line');
    const listener = await opened.connect();
    const heard: unknown[] = [];
    listener.on('notification', ({ payload }) => heard.push(payload));
    await listener.query('listen access_admin');
    await store.clients.create(actIn('acme'), client('c-1'));
    const before = await changes();
    let told = 0;
    const leave = store.onCommit(() => told++);
    for (let count = 0; count < 20; count++) await record(store);
    // The change before them may be announced late.
    expect(told).toBeLessThan(20);
    leave();
    expect(await changes()).toEqual(before);
    await append(store, 'x');
    // Of the creation of the client and of the last change. Notifications of one process arrive in order.
    while (heard.length < 2) await listener.query('select 1');
    expect(heard).toEqual(Array(2).fill(expect.stringMatching(/^changed acme /)));
    expect(await changes()).not.toEqual(before);
  });

  test('does not hide the change before it', async () => {
    await using opened = await open();
    const { store, query } = opened;
    await store.clients.create(actIn('acme'), client('c-1'));
    await waitUntil(() => isRemembered(store));
    await query(`begin; update oauth_client set identity_id = 'i-1';
      ${CHANGE} commit`);
    await record(store);
    await waitUntil(async () => (await store.clients.findCaller('acme', 'c-1'))?.identityId === 'i-1');
  });

  test.each(['before', 'after'] as const)('by a connection that breaks %s its commit is stored once', async (when) => {
    await using opened = await open();
    const { store, proxy } = opened;
    // The first write of a tenant, and one after a change.
    for (const tenant of ['globex', 'acme']) {
      if (tenant === 'acme') await append(store, 'a');
      const { sequence } = await store.audit.head(tenant);
      proxy.cutAt('commit\0', when);
      await record(store, tenant);
      expect(await store.audit.head(tenant)).toMatchObject({ sequence: sequence + 1 });
    }
  });
});

test('a notification does not wait for the disk, and nothing else goes without', async () => {
  await using opened = await open();
  const sent = vi.spyOn(pg.Client.prototype, 'query');
  await append(opened.store, 'x');
  const isAnnouncement = ([query]: readonly unknown[]) => Object(query).name === 'announce';
  await waitUntil(async () => sent.mock.calls.some(isAnnouncement));
  const [{ text, values } = { text: '', values: [] }] = sent.mock.calls
    .filter(isAnnouncement)
    .map(([query]) => Object(query));
  sent.mockRestore();
  const client = await opened.connect();
  const settingOf = async () => (await client.query('show synchronous_commit')).rows;
  await client.query('begin');
  await client.query(text, values);
  expect(await settingOf()).toEqual([{ synchronous_commit: 'off' }]);
  await client.query('commit');
  expect(await settingOf()).toEqual([{ synchronous_commit: 'on' }]);
});

test('a restarted server is used again', async () => {
  const server = await startPostgres();
  if ('unavailable' in server) throw new Error(server.unavailable);
  await using _ = server;
  const { url } = await server.createDatabase();
  const limits = { ...PATIENT, retryMs: 500, unknownOutcomeMs: 500 };
  await using store = await openPostgresStore({ url, limits });
  await importAll(store, 'acme', people({ 'i-1': ['HELPDESK'] }));
  for (const mode of ['fast', 'immediate', 'kill'] as const) {
    await server.stop(mode);
    await expectUnavailable(store.ping(), append(store, 'x'), store.checks.enqueue(newCheck(mode), MANY));
    await server.start();
    await untilAvailable(store.ping);
    expect((await store.authUsers.find('acme', 'i-1'))?.capabilities).toEqual(['HELPDESK']);
    expect(await store.checks.enqueue(newCheck(`${mode} again`), MANY)).toBe('stored');
  }
});

test('a database that could lose acknowledged writes is refused', async () => {
  const { url, remove } = await createTestDatabase();
  const loose = new URL(url);
  loose.searchParams.set('options', '-c synchronous_commit=off');
  await expect(openStore(loose.href)).rejects.toThrow('synchronous_commit must not be off');
  await remove();
});

test('a missing or forbidden database is reported as such', async () => {
  await using opened = await open();
  const missing = new URL(opened.proxy.url);
  missing.pathname = '/none';
  await expect(openStore(missing.href)).rejects.toThrow('"none" does not exist');
  const stranger = new URL(opened.proxy.url);
  stranger.password = 'wrong';
  await expect(openStore(stranger.href)).rejects.toThrow('password authentication failed');
});

test('both engines have the same tables and columns, but for the search indexes', async () => {
  await using opened = await open();
  const found = await opened.query(`
    select table_name, column_name, is_nullable = 'NO' as is_required from information_schema.columns
    where table_schema = current_schema() and table_name not like 'kysely%' and table_name not in ('tenant_change', 'shared_change')`);
  const postgres = found.map((row) => Object.values(row).join(' ')).sort();
  expect(postgres).toEqual(await sqliteColumns());
});

async function sqliteColumns(): Promise<readonly string[]> {
  await using file = await newSqliteFile();
  const store = await openStore(`sqlite:${file.path}`);
  const connection = openSqliteConnection(file.path, 'queryOnly');
  const columns = connection
    .prepare<[], string>(`
      select tables.name || ' ' || columns.name || ' ' || iif(columns."notnull", 'true', 'false')
      from sqlite_master tables, pragma_table_info(tables.name) columns
      where tables.type = 'table' and tables.name not like 'kysely%' and tables.name not like 'search_text%'
        and tables.name not like 'search_word%'
        and not (tables.name = 'search_entry' and columns.name = 'number')`)
    .pluck()
    .all();
  connection.close();
  await store.close();
  return columns.sort();
}

test('a change committed while the store reconnects its signal is not missed', async () => {
  await using opened = await open();
  const { store, proxy, query } = opened;
  await store.clients.create(actIn('acme'), client('c-1'));
  for (let round = 0; round < 10; round++) {
    await waitUntil(() => isRemembered(store));
    // Reads go on while the connection of the signal is lost and replaced.
    proxy.cutAll();
    const reads = [1, 2, 3].map(() => store.clients.findCaller('acme', 'c-1'));
    await query(`begin; update oauth_client set identity_id = 'i-${round}';
      ${CHANGE} commit`);
    await Promise.all(reads);
    const isSeen = async () => (await store.clients.findCaller('acme', 'c-1'))?.identityId === `i-${round}`;
    await waitUntil(isSeen);
  }
});

describe('a tenant that another process has locked', () => {
  const HOLD = (tenant: string) => `begin; select pg_advisory_xact_lock(hashtextextended('access-admin:${tenant}', 0))`;

  test('delays only its own writes', async () => {
    await using opened = await open();
    const { store, query } = opened;
    await store.clients.create(actIn('acme'), client('c-1'));
    await query(HOLD('acme'));
    const writes = ['a', 'b', 'c', 'd'].map((text) => append(store, text));
    const isOver = Promise.race(writes.map((write) => write.then(() => true)));
    const others = Array.from({ length: 20 }, (_, number) =>
      store.uiMetadata.change(actIn(`other-${number}`), {
        decide: (metadata) => ok({ ...metadata, usernameLabel: 'x' }),
      }),
    );
    await Promise.all(others);
    expect(await store.clients.count('acme')).toBe(1);
    expect(await store.checks.enqueue(newCheck('r-1'), MANY)).toBe('stored');
    await store.ping();
    await store.signingKeys.createFor({ kid: 'k', issuer: 'i', privateJwk: '{}', created: NOW });
    expect(await Promise.race([isOver, Promise.resolve(false)])).toBe(false);
    await query('rollback');
    await Promise.all(writes);
    expect(await labelOf(store)).toBe('abcd');
  });

  test('fails all its waiting writes after one time limit', async () => {
    await using opened = await open({ lockMs: 300, queueMs: 200 });
    const { store, query } = opened;
    await query(HOLD('acme'));
    const outcomes = await Promise.allSettled(['a', 'b', 'c', 'd'].map((text) => append(store, text)));
    const reasons = outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason : null));
    for (const reason of reasons) expect(reason).toBeInstanceOf(StorageUnavailable);
    // Those after the first were not tried.
    for (const place of [1, 2, 3]) expect(reasons[place].cause).toBe(reasons[place - 1]);
    await query('rollback');
    expect(await append(store, 'e')).toMatchObject({ ok: true });
    expect(await labelOf(store)).toBe('e');
  });

  test('many such tenants leave connections for reads', async () => {
    await using opened = await open();
    const { store, query } = opened;
    await query('begin');
    const tenants = Array.from({ length: 12 }, (_, number) => `held-${number}`);
    for (const tenant of tenants) await query(HOLD(tenant).replace('begin; ', ''));
    const writes = tenants.map((tenant) =>
      store.uiMetadata.change(actIn(tenant), { decide: (metadata) => ok(metadata) }),
    );
    const isOver = Promise.race(writes.map((write) => write.then(() => true)));
    await store.ping();
    expect(await store.checks.enqueue(newCheck('r-1'), MANY)).toBe('stored');
    expect(await Promise.race([isOver, Promise.resolve(false)])).toBe(false);
    await query('rollback');
    await Promise.all(writes);
  });
});

describe('a migration that adds a column to a queue', () => {
  const ADD_COLUMN = 'alter table sod_check add column priority integer not null default 0';

  test('leaves the claims of a worker that runs as they were', async () => {
    await using opened = await open();
    const { store, query } = opened;
    let added = 0;
    const claim = async () => {
      await store.checks.enqueue(newCheck(`r-${added++}`), MANY);
      return store.checks.claim({ nowMs: 0, leaseMs: 1_000, limit: 10 });
    };
    // From the second time on, a connection prepares it.
    for (let time = 0; time < 3; time++) expect(await claim()).toHaveLength(1);
    await query(ADD_COLUMN);
    for (let time = 0; time < 3; time++) expect(await claim()).toHaveLength(1);
  });

  test('leaves the transactions of a worker that runs as they were', async () => {
    const { url, remove } = await createTestDatabase(migrate);
    const database = await openEngineDatabase(url);
    const select = () =>
      database.writeIdempotent(async (trx) => (await sql`select * from sod_check`.execute(trx)).rows);
    for (let time = 0; time < 3; time++) expect(await select()).toEqual([]);
    await database.writeIdempotent((trx) => sql.raw(ADD_COLUMN).execute(trx));
    for (let time = 0; time < 3; time++) expect(await select()).toEqual([]);
    await database.close();
    await remove();
  });
});

test('a key that the server refuses matches no row and does not affect other keys', async () => {
  await using opened = await open();
  const { store } = opened;
  await importAll(store, 'acme', people({ 'i-1': ['HELPDESK'] }));
  const ids = ['i-1', 'i\u0000', 'i-1\ud800'];
  const found = await Promise.all(ids.map((id) => store.clients.findCapabilities('acme', id)));
  expect(found).toEqual([['HELPDESK'], null, null]);
});

test('a database with another default isolation level works', async () => {
  const { url, remove } = await createTestDatabase(migrate);
  const strict = new URL(url);
  strict.searchParams.set('options', '-c default_transaction_isolation=serializable');
  const stores = [await openStore(strict.href), await openStore(strict.href)];
  const created = await Promise.all(
    [1, 2, 3, 4].map((number) => stores[number % 2]?.clients.createFirst(client(`c-${number}`))),
  );
  expect(created.filter((isFirst) => isFirst)).toHaveLength(1);
  for (const store of stores) await store.close();
  await remove();
});

describe('a long transaction that numbers events of a tenant', () => {
  /** Checks of two tenants, claimed. */
  async function completionsOf({ checks }: Store, requestId: string) {
    for (const tenant of ['a', 'b']) await checks.enqueue(newCheck(requestId, { tenant }), MANY);
    const claimed = await checks.claim({ nowMs: 0, leaseMs: 1_000, limit: 2 });
    const { result } = concludeWithError({ clientMetadata: null }, 'why');
    return claimed.map((check) => ({ ...check, state: 'SUCCESS' as const, completed: NOW, result }));
  }

  test.each([
    ['after others', `update event_head set sequence = sequence where tenant = 'a'`, 1],
    ['as the first', `insert into event_head (tenant, sequence, removed_to) values ('a', 0, 0)`, 0],
  ])('%s delays no check of another tenant', async (_, statement, earlier) => {
    await using opened = await open();
    const { store } = opened;
    if (earlier > 0) await store.checks.complete(await completionsOf(store, 'r-0'));
    const completions = await completionsOf(store, 'r-1');
    const other = await opened.connect();
    await other.query('begin');
    await other.query(statement);
    await expect(store.checks.complete(completions)).rejects.toThrow(StorageUnavailable);
    expect((await store.checks.find('b', 'r-1'))?.state).toBe('SUCCESS');
    expect((await store.checks.find('a', 'r-1'))?.state).toBe('PENDING');
    await other.query('commit');
    expect(await store.checks.complete(completions)).toBe(1);
    expect(await opened.query(`select tenant, sequence from event_head order by tenant`)).toEqual(
      ['a', 'b'].map((tenant) => ({ tenant, sequence: String(1 + earlier) })),
    );
  });
});
