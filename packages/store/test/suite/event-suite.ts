import { setImmediate } from 'node:timers/promises';
import { EVENT_DATA_BYTES_MAX, EVENT_TYPE_NAMES, newEvent } from '@access-admin/domain';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Database } from '../../src/engine/database.ts';
import { type TenantScope, tenantScope } from '../../src/engine/scope.ts';
import type { EventQuery, Store, StoredEvent } from '../../src/index.ts';
import { appendEvents } from '../../src/record/events/append-events.ts';
import { openEngineDatabase } from '../engine-database.ts';
import { NOW } from '../model-records.ts';
import { openDatabase, type StoreEngine } from '../store-engine.ts';

const ALL: EventQuery = { types: EVENT_TYPE_NAMES, limit: 1_000 };

/** Opens another connection to the database of a store; the test closes it. */
async function openBeside(url: string): Promise<Database> {
  const database = await openEngineDatabase(url);
  onTestFinished(() => database.close());
  return database;
}

const labelEvent = (label: unknown) => newEvent('ui-metadata.changed', 'tenant', { time: NOW, data: { label } });
const append = (database: Database, scope: TenantScope, ...labels: readonly unknown[]) =>
  database.write(scope, (trx) => appendEvents(trx, scope.tenant, labels.map(labelEvent)));
const labelOf = ({ data }: StoredEvent) => JSON.parse(data).label;

/** All kept events, page by page. */
async function readAll(store: Store, tenant = 'acme', query = ALL): Promise<readonly StoredEvent[]> {
  const all: StoredEvent[] = [];
  let after: number | undefined;
  for (;;) {
    const { events, through, range } = await store.events.read(tenant, { ...query, after });
    all.push(...events);
    after = through;
    if (through === range.last) return all;
  }
}

const sequencesOf = (events: readonly StoredEvent[]) => events.map(({ sequence }) => sequence);
const firstNumbers = (count: number) => Array.from({ length: count }, (_, place) => place + 1);

export function describeEvents(engine: StoreEngine): void {
  describe('events', () => {
    describeNumbers(engine);
    describeReading(engine);
  });
}

function describeNumbers(engine: StoreEngine): void {
  test('writers of several scopes and connections number them in the order of commits, without gaps', async () => {
    await using opened = await openDatabase(engine);
    const databases = [await openBeside(opened.url), await openBeside(opened.url)];
    const scopes: readonly TenantScope[] = [
      tenantScope('acme'),
      { tenant: 'acme', changes: 'auditLog' },
      { tenant: 'acme', changes: 'reports' },
    ];
    const writers = databases.flatMap((database, at) => scopes.map((scope, place) => ({ database, scope, at, place })));
    const rounds = 20;
    const write = async ({ database, scope, at, place }: (typeof writers)[number]) => {
      for (let round = 0; round < rounds; round++)
        await append(database, scope, [at, place, round, 0], [at, place, round, 1]);
    };
    const total = writers.length * rounds * 2;
    const seen: StoredEvent[] = [];
    const poll = async () => {
      for (let after = 0; seen.length < total; ) {
        const { events, through, isGone } = await opened.store.events.read('acme', { ...ALL, after });
        expect(isGone).toBe(false);
        seen.push(...events);
        after = through;
        // Reads of a file keep their turn of the event loop.
        await setImmediate();
      }
    };
    await Promise.all([poll(), ...writers.map(write)]);
    expect(sequencesOf(seen)).toEqual(firstNumbers(total));
    expect(await readAll(opened.store)).toEqual(seen);
    for (const { at, place } of writers) {
      const own = seen.map(labelOf).filter((label) => label[0] === at && label[1] === place);
      expect(own).toEqual(firstNumbers(rounds).flatMap((round) => [0, 1].map((n) => [at, place, round - 1, n])));
    }
  });

  test('a transaction that is rolled back leaves no gap', async () => {
    await using opened = await openDatabase(engine);
    const database = await openBeside(opened.url);
    await append(database, tenantScope('acme'), 'a');
    const failing = database.write(tenantScope('acme'), async (trx) => {
      await appendEvents(trx, 'acme', [labelEvent('lost')]);
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    await append(database, tenantScope('acme'), 'b');
    const events = await readAll(opened.store);
    expect(events.map((event) => [event.sequence, labelOf(event)])).toEqual([
      [1, 'a'],
      [2, 'b'],
    ]);
  });

  test('each tenant has numbers of its own, and no event stores nothing', async () => {
    await using opened = await openDatabase(engine);
    const database = await openBeside(opened.url);
    await append(database, tenantScope('acme'), 'a', 'b');
    await append(database, tenantScope('other'), 'c');
    await append(database, tenantScope('empty'));
    const lasts = await opened.store.events.lastOf(['acme', 'other', 'empty']);
    expect([...lasts]).toEqual([
      ['acme', 2],
      ['other', 1],
      ['empty', 0],
    ]);
    expect(await opened.store.events.lastOf([])).toEqual(new Map());
    expect((await readAll(opened.store, 'other')).map(labelOf)).toEqual(['c']);
    expect(await opened.store.events.head('empty')).toEqual({ oldest: 1, last: 0 });
  });

  test('thousands of one transaction are numbered too, and each has an id of its own', async () => {
    await using opened = await openDatabase(engine);
    const database = await openBeside(opened.url);
    await append(database, tenantScope('acme'), ...firstNumbers(2_500));
    const events = await readAll(opened.store);
    expect(sequencesOf(events)).toEqual(firstNumbers(2_500));
    expect(events.map(labelOf)).toEqual(firstNumbers(2_500));
    expect(new Set(events.map(({ id }) => id)).size).toBe(2_500);
  });
}

function describeReading(engine: StoreEngine): void {
  test('a page has the types that are asked for, and tells how far it has looked', async () => {
    await using opened = await openDatabase(engine);
    const database = await openBeside(opened.url);
    const policy = newEvent('sod.policy.created', 'p-1', { time: NOW, data: { id: 'p-1' } });
    await database.write(tenantScope('acme'), (trx) =>
      appendEvents(trx, 'acme', [labelEvent('a'), policy, labelEvent('b'), labelEvent('c')]),
    );
    const { events } = opened.store;
    const read = async (query: EventQuery) => {
      const page = await events.read('acme', query);
      return [sequencesOf(page.events), page.through];
    };
    expect((await events.read('acme', { ...ALL, types: ['sod.policy.created'] })).events).toEqual([
      {
        sequence: 2,
        type: 'sod.policy.created',
        resourceId: 'p-1',
        time: NOW,
        data: '{"id":"p-1"}',
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      },
    ]);
    expect(await read({ types: ['sod.policy.created'], limit: 10 })).toEqual([[2], 4]);
    expect(await read({ types: ['sod.policy.created'], limit: 1 })).toEqual([[2], 2]);
    expect(await read({ types: ['sod.policy.deleted'], limit: 1 })).toEqual([[], 4]);
    expect(await read({ types: [], limit: 1 })).toEqual([[], 4]);
    expect(await read({ ...ALL, limit: 2 })).toEqual([[1, 2], 2]);
    expect(await read({ ...ALL, after: 2, limit: 2 })).toEqual([[3, 4], 4]);
    expect(await read({ ...ALL, after: 4 })).toEqual([[], 4]);
  });

  test('beyond the last event there is nothing to go on from', async () => {
    await using opened = await openDatabase(engine);
    const database = await openBeside(opened.url);
    await append(database, tenantScope('acme'), 'a');
    const gone = { range: { oldest: 1, last: 1 }, isGone: true, events: [] };
    expect(await opened.store.events.read('acme', { ...ALL, after: 2 })).toMatchObject(gone);
    expect(await opened.store.events.read('acme', { ...ALL, after: 1 })).toMatchObject({ ...gone, isGone: false });
    expect(await opened.store.events.read('new', { ...ALL, after: 1 })).toMatchObject({ isGone: true });
  });

  test('old events are removed, and a reader that has not seen them is told', async () => {
    await using opened = await openDatabase(engine);
    const database = await openBeside(opened.url);
    const at = (time: string) => newEvent('ui-metadata.changed', 'tenant', { time, data: {} });
    const times = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z', '2026-01-03T00:00:00.000Z'];
    await database.write(tenantScope('acme'), (trx) => appendEvents(trx, 'acme', times.map(at)));
    await append(database, tenantScope('other'), 'a');
    const { events } = opened.store;
    const removeBefore = (before: string) => events.removeExpired({ before, now: '2026-06-01T00:00:00.000Z' });
    expect(await removeBefore('2026-01-01T00:00:00.000Z')).toBe(false);
    expect(await events.head('acme')).toEqual({ oldest: 1, last: 3 });
    expect(await removeBefore('2026-01-03T00:00:00.000Z')).toBe(false);
    expect(await events.head('acme')).toEqual({ oldest: 3, last: 3 });
    expect(await events.head('other')).toEqual({ oldest: 1, last: 1 });
    expect(await events.read('acme', { ...ALL, after: 1 })).toMatchObject({ isGone: true, events: [] });
    expect(sequencesOf((await events.read('acme', { ...ALL, after: 2 })).events)).toEqual([3]);
    expect(sequencesOf((await events.read('acme', ALL)).events)).toEqual([3]);
    expect(await removeBefore('2027-01-01T00:00:00.000Z')).toBe(true);
    expect(await events.head('acme')).toEqual({ oldest: 4, last: 3 });
    await append(database, tenantScope('acme'), 'next');
    expect(sequencesOf((await events.read('acme', { ...ALL, after: 3 })).events)).toEqual([4]);
  });

  test.each([
    ['one event', ['ahead', 'old', 'ahead', 'old', 'young', 'old'], 5],
    [
      'many events',
      [...Array<'ahead'>(1_500).fill('ahead'), ...Array<'old'>(600).fill('old'), 'ahead', 'young'],
      2_101,
    ],
    ['the latest event', ['old', 'ahead'], 2],
    ['all events', ['ahead', 'ahead'], 1],
    ['many events before a young one', [...Array<'ahead'>(1_500).fill('ahead'), 'young'], 1],
  ] as const)('a clock that was ahead for %s keeps no others', async (_, ages, oldest) => {
    await using opened = await openDatabase(engine);
    const database = await openBeside(opened.url);
    const { events } = opened.store;
    const times = {
      old: '2026-01-01T00:00:00.000Z',
      young: '2026-02-10T00:00:00.000Z',
      ahead: '2027-02-10T00:00:00.000Z',
    };
    const at = (time: string) => newEvent('ui-metadata.changed', 'tenant', { time, data: {} });
    await database.write(tenantScope('acme'), (trx) =>
      appendEvents(
        trx,
        'acme',
        ages.map((age) => at(times[age])),
      ),
    );
    const expiry = { before: '2026-02-01T00:00:00.000Z', now: '2026-03-01T00:00:00.000Z' };
    while (await events.removeExpired(expiry));
    expect(await events.head('acme')).toEqual({ oldest, last: ages.length });
  });

  test('old events of all tenants are removed, some tenants at a time', async () => {
    await using opened = await openDatabase(engine);
    const database = await openBeside(opened.url);
    const tenants = Array.from({ length: 205 }, (_, place) => `t-${place}`);
    for (const tenant of tenants) await append(database, tenantScope(tenant), 'a', 'b');
    const remove = () =>
      opened.store.events.removeExpired({ before: '2026-06-01T00:00:00.000Z', now: '2026-06-01T00:00:00.000Z' });
    const readOldest = async () =>
      (await Promise.all(tenants.map((tenant) => opened.store.events.head(tenant)))).map(({ oldest }) => oldest);
    expect(await remove()).toBe(true);
    expect((await readOldest()).filter((oldest) => oldest === 3)).toHaveLength(100);
    while (await remove());
    expect(await readOldest()).toEqual(tenants.map(() => 3));
  });

  test('a filtered query examines a bounded number of events, and the next one goes on from there', async () => {
    await using opened = await openDatabase(engine);
    const database = await openBeside(opened.url);
    await append(database, tenantScope('acme'), ...firstNumbers(10_001));
    const types = ['sod.policy.created'] as const;
    const first = await opened.store.events.read('acme', { types, limit: 1 });
    expect(first).toMatchObject({ events: [], through: 10_000, range: { last: 10_001 } });
    const second = await opened.store.events.read('acme', { types, limit: 1, after: first.through });
    expect(second).toMatchObject({ events: [], through: 10_001 });
  });

  test('a page ends at 64 KiB or has one event, and data of more than 256 KiB are a reference', async () => {
    await using opened = await openDatabase(engine);
    const database = await openBeside(opened.url);
    const fits = 'x'.repeat(EVENT_DATA_BYTES_MAX - '{"label":""}'.length);
    await append(
      database,
      tenantScope('acme'),
      ...Array.from({ length: 6 }, () => 'x'.repeat(16_000)),
      fits,
      `${fits}x`,
      'ä'.repeat(131_072),
    );
    const page = await opened.store.events.read('acme', ALL);
    expect([sequencesOf(page.events), page.through]).toEqual([[1, 2, 3, 4], 4]);
    const rest = await opened.store.events.read('acme', { ...ALL, after: 4 });
    expect([sequencesOf(rest.events), rest.through]).toEqual([[5, 6], 6]);
    const large = await opened.store.events.read('acme', { ...ALL, after: 6 });
    expect([sequencesOf(large.events), large.through]).toEqual([[7], 7]);
    expect(labelOf(large.events[0] as StoredEvent)).toBe(fits);
    const reference = '{"type":"UI_METADATA","id":"tenant"}';
    const last = await opened.store.events.read('acme', { ...ALL, after: 7 });
    expect(last.events.map(({ data }) => data)).toEqual([reference, reference]);
  });
}
