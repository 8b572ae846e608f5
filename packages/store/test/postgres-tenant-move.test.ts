import { describe, expect, test } from 'vitest';
import { openPostgresStore } from '../src/assembly/postgres.ts';
import {
  openTenantMoves,
  type RetiredSigningKey,
  StorageLocked,
  type Store,
  TenantRemoved,
  type TenantRows,
} from '../src/index.ts';
import { allOf } from './all-of.ts';
import { actIn, identityProfile, importAll, NOW, people } from './model-records.ts';
import { newCheck } from './new-check.ts';
import { dump, fill, openRaw, type Row, TENANT_TABLES } from './raw-database.ts';
import { ENGINE, openDatabase } from './store-engine.ts';
import { source } from './suite/source-suite.ts';

const MOVED = 'moved';
const STAYS = 'stays';
/** More than are read first. */
const ROWS = 60;

const sign = async () => 'signed';
const isMoved = (row: Row) => row['tenant'] === MOVED;
const isOfStaying = (row: Row) => row['tenant'] === STAYS;

/** Two databases with their stores, and as the ends of a move. */
async function openTwo() {
  const stack = new AsyncDisposableStack();
  const left = stack.use(await openDatabase(ENGINE));
  const right = stack.use(await openDatabase(ENGINE));
  return {
    left: { ...left, raw: stack.use(await openRaw(left)), moves: stack.use(await openTenantMoves(left.url)) },
    right: { ...right, raw: stack.use(await openRaw(right)), moves: stack.use(await openTenantMoves(right.url)) },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

type End = Awaited<ReturnType<typeof openTwo>>['left'];

const RETIRED: RetiredSigningKey = {
  kid: 'k',
  issuer: 'https://acme.example',
  publicJwk: '{}',
  created: NOW,
  retired: NOW,
  tokensEnd: NOW,
};

const move = (from: End, to: End, keys: readonly RetiredSigningKey[] = []) =>
  from.moves.give({ auditContext: actIn('operator'), tenant: MOVED, sign }, (rows) =>
    to.moves.take({ auditContext: actIn('keeper'), tenant: MOVED, keys }, rows),
  );

describe('the move of a tenant', () => {
  test('takes every row of every table along, and leaves those of others as they were', async () => {
    await using two = await openTwo();
    const { left, right } = two;
    await fill(left.raw, MOVED, ROWS);
    for (const { raw } of [left, right]) await fill(raw, STAYS, 3);
    // More than is read at once.
    const large = Array.from({ length: 7 }, (_, at) => `'large ${at}', '${MOVED}', repeat('é"\\', 1500000)`);
    await left.execute(`insert into entitlement (id, tenant, name) values (${large.join('), (')})`);
    const before = await dump(left.raw, isMoved);
    const others = [await dump(left.raw, isOfStaying), await dump(right.raw, isOfStaying)];
    for (const { name } of TENANT_TABLES) expect([name, before[name]]).not.toEqual([name, []]);

    expect(await move(left, right)).toMatchObject({ ok: true, value: { removal: { requested: NOW } } });
    const after = await dump(right.raw, isMoved);
    const { tenant_change: _, ...moved } = after;
    const { tenant_change: __, tenant_removal: ___, ...given } = before;
    expect({ ...moved, tenant_removal: undefined }).toEqual({ ...given, tenant_removal: undefined });
    expect(after['tenant_removal']).toEqual([]);
    expect([await dump(left.raw, isOfStaying), await dump(right.raw, isOfStaying)]).toEqual(others);
    expect(await left.store.tenants.exists(MOVED)).toBe(false);
    expect(await right.store.tenants.exists(MOVED)).toBe(true);
  });

  test('is known to processes of both databases, and told in both logs', async () => {
    await using two = await openTwo();
    const { left, right } = two;
    await importAll(left.store, MOVED, people({ 'i-1': [] }));
    const head = await left.store.audit.head(MOVED);
    // Remembered by processes, of a tenant that they do not have.
    for (const { store } of [left, right]) await store.clients.findCapabilities(MOVED, 'i-1');
    expect(await right.store.clients.findCapabilities(MOVED, 'i-1')).toBeNull();
    expect(await move(left, right, [RETIRED])).toMatchObject({ ok: true });
    expect(await right.store.signingKeys.listRetired()).toEqual([RETIRED]);
    await expect.poll(() => right.store.clients.findCapabilities(MOVED, 'i-1'), { timeout: 10_000 }).toEqual([]);
    await expect.poll(() => left.store.clients.findCapabilities(MOVED, 'i-1'), { timeout: 10_000 }).toBeNull();
    const told = async ({ store }: End, tenant: string) => (await allOf(store.audit.export(tenant)))[0];
    expect(await told(left, 'operator')).toMatchObject({
      resource: { type: 'TENANT', id: MOVED },
      changes: expect.arrayContaining([{ field: 'auditHead', before: { ...head, signature: 'signed' }, after: null }]),
    });
    expect(await told(right, 'keeper')).toMatchObject({
      resource: { type: 'TENANT', id: MOVED },
      changes: expect.arrayContaining([{ field: 'auditHead', before: null, after: head }]),
    });
    // The log goes on where it ended.
    await importAll(right.store, MOVED, [identityProfile('later')]);
    const events = await allOf(right.store.audit.export(MOVED));
    expect(events.at(head.sequence)).toMatchObject({ previousHash: head.hash });
  });

  test('lets nothing be written of the tenant meanwhile, and others write', async () => {
    await using two = await openTwo();
    const { left, right } = two;
    for (const tenant of [MOVED, STAYS]) await importAll(left.store, tenant, people({ 'i-1': [] }));
    let late: Promise<unknown> = Promise.resolve();
    await left.moves.give({ auditContext: actIn('operator'), tenant: MOVED, sign }, async (rows) => {
      late = importAll(left.store, MOVED, [identityProfile('late')]).catch((error: unknown) => error);
      await importAll(left.store, STAYS, [identityProfile('meanwhile')]);
      return right.moves.take({ auditContext: actIn('keeper'), tenant: MOVED, keys: [] }, rows);
    });
    expect(await late).toBeInstanceOf(TenantRemoved);
    const profiles = async (end: End, tenant: string) =>
      (await end.raw.rows('identity_profile')).filter((row) => row['tenant'] === tenant).map((row) => row['id']);
    expect(await profiles(right, MOVED)).not.toContain('late');
    expect(await profiles(left, STAYS)).toContain('meanwhile');
  });

  test('voids the claims of checks: each is completed once, in the other', async () => {
    await using two = await openTwo();
    const { left, right } = two;
    await importAll(left.store, MOVED, people({ 'i-1': [] }));
    const claim = ({ store }: End, afterMs: number) =>
      store.checks.claim({ nowMs: Date.parse(NOW) + afterMs, leaseMs: 1_000, limit: 2 });
    const complete = ({ store }: End, claims: Awaited<ReturnType<typeof claim>>) =>
      store.checks.complete(claims.map((claimed) => ({ ...claimed, completed: NOW, state: 'SUCCESS', result: '{}' })));
    const events = async ({ store }: End) => {
      const { events } = await store.events.read(MOVED, { after: 0, types: ['sod.check.completed'], limit: 9 });
      return events.map(({ sequence, resourceId }) => [sequence, resourceId]);
    };
    for (const id of ['r-1', 'r-2']) await left.store.checks.enqueue(newCheck(id, { tenant: MOVED }), 9);
    const [first, second] = await claim(left, 0);
    if (first === undefined || second === undefined) throw new Error('Nothing was claimed.');
    await complete(left, [first]);
    const [done] = await events(left);
    const moved = await left.moves.give({ auditContext: actIn('operator'), tenant: MOVED, sign }, (rows) =>
      right.moves.take(
        { auditContext: actIn('keeper'), tenant: MOVED, keys: [] },
        {
          read: async function* () {
            for await (const part of rows.read()) {
              yield part;
              if (part.table === 'sod_check')
                await expect(complete(left, [second])).rejects.toBeInstanceOf(StorageLocked);
            }
          },
        },
      ),
    );
    expect(moved).toMatchObject({ ok: true });
    expect(await complete(left, [second])).toBe(0);
    expect(await events(left)).toEqual([done]);
    expect(await events(right)).toEqual([done]);
    expect(await complete(right, await claim(right, 1_000))).toBe(1);
    expect(await events(right)).toEqual([done, [Number(done?.[0]) + 1, second.requestId]]);
  });

  test('voids the claim of a load, which goes on at once in the other', async () => {
    await using two = await openTwo();
    const { left, right } = two;
    await importAll(left.store, MOVED, [source('erp')]);
    const load = { source: 'erp', loadId: '5ad5e8a4-0f6b-4bd7-9c3a-1f9d6f1c0001' };
    const by = { ...actIn(MOVED), time: NOW };
    expect(await left.store.loads.create(by, { ...load, mode: 'DELTA', dryRun: false })).toMatchObject({ ok: true });
    expect(await left.store.loads.commit(by, { ...load, confirmed: null })).toMatchObject({ ok: true });
    const claim = ({ store }: End) => store.loads.claim({ nowMs: Date.parse(NOW), leaseMs: 60_000, limit: 1 });
    const turn = { now: NOW, pause: async () => {} };
    const [held] = await claim(left);
    if (held === undefined) throw new Error('Nothing was claimed.');
    expect(await left.store.loads.advance(held, turn)).toBe('more');
    const moved = await left.moves.give({ auditContext: actIn('operator'), tenant: MOVED, sign }, (rows) =>
      right.moves.take({ auditContext: actIn('keeper'), tenant: MOVED, keys: [] }, rows),
    );
    expect(moved).toMatchObject({ ok: true });
    expect(await left.store.loads.advance(held, turn)).toBe('lost');
    const [goesOn] = await claim(right);
    if (goesOn === undefined) throw new Error('Nothing was claimed.');
    expect(await right.store.loads.advance(goesOn, turn)).toBe('done');
    expect(await right.store.loads.find(MOVED, load)).toMatchObject({ state: 'SUCCESS' });
  });

  test('accepts no check once those of the tenant are read, also of one that has waited for its end', async () => {
    await using two = await openTwo();
    const { left, right } = two;
    await importAll(left.store, MOVED, people({ 'i-1': [] }));
    const enqueue = (store: Store, id: string) => store.checks.enqueue(newCheck(id, { tenant: MOVED }), 9);
    await enqueue(left.store, 'r-1');
    await using patient = await openPostgresStore({ url: left.url, limits: { workLockMs: 60_000 } });
    const waits = async () =>
      (await left.raw.rows('pg_stat_activity')).some(
        ({ datname, wait_event_type, query }) =>
          left.url.endsWith(`/${datname}`) && wait_event_type === 'Lock' && String(query).includes('sod_check'),
      );
    let waiting: Promise<unknown> = Promise.resolve();
    const read = async function* (rows: TenantRows) {
      for await (const part of rows.read()) {
        yield part;
        if (part.table !== 'sod_check') continue;
        await expect(enqueue(left.store, 'r-2')).rejects.toBeInstanceOf(StorageLocked);
        waiting = enqueue(patient, 'r-3').catch((error: unknown) => error);
        await expect.poll(waits, { timeout: 60_000 }).toBe(true);
      }
    };
    const moved = await left.moves.give({ auditContext: actIn('operator'), tenant: MOVED, sign }, (rows) =>
      right.moves.take({ auditContext: actIn('keeper'), tenant: MOVED, keys: [] }, { read: () => read(rows) }),
    );
    expect(moved).toMatchObject({ ok: true });
    expect(await waiting).toBeInstanceOf(TenantRemoved);
    await expect(enqueue(left.store, 'r-4')).rejects.toBeInstanceOf(TenantRemoved);
    const checks = async ({ raw }: End) => (await raw.rows('sod_check')).map((row) => row['request_id']);
    expect([await checks(left), await checks(right)]).toEqual([['r-1'], ['r-1']]);
  });

  test('leaves both as they were where the other has such a tenant, or the id of an application', async () => {
    await using two = await openTwo();
    const { left, right } = two;
    await fill(left.raw, MOVED, 2);
    await importAll(right.store, MOVED, people({ 'i-other': [] }));
    const there = await dump(right.raw, isMoved);
    expect(await move(left, right)).toEqual({ ok: false, failure: 'other tenant' });
    expect(await dump(right.raw, isMoved)).toEqual(there);

    await right.store.tenantRemovals.begin(actIn('operator'), MOVED, sign);
    expect(await move(left, right)).toEqual({ ok: false, failure: 'other tenant' });

    await using another = await openTwo();
    await fill(another.right.raw, STAYS, 1);
    await another.right.execute(`update oauth_client_tenant set id = '${MOVED}-1'`);
    expect(await move(left, another.right)).toEqual({ ok: false, failure: 'taken id' });
    expect(await another.right.store.tenants.exists(MOVED)).toBe(false);
    expect(await left.store.tenants.exists(MOVED)).toBe(true);
    expect(await left.moves.give({ auditContext: actIn('operator'), tenant: 'nobody', sign }, fails)).toMatchObject({
      failure: { type: 'NotFound' },
    });
  });

  test('that failed after its rows were stored goes on when it is repeated, unless either has changed', async () => {
    await using two = await openTwo();
    const { left, right } = two;
    await fill(left.raw, MOVED, 20);
    const take = (rows: Parameters<Parameters<End['moves']['give']>[1]>[0]) =>
      right.moves.take({ auditContext: actIn('keeper'), tenant: MOVED, keys: [] }, rows);
    const failed = left.moves.give({ auditContext: actIn('operator'), tenant: MOVED, sign }, async (rows) => {
      await take(rows);
      throw new Error('killed');
    });
    await expect(failed).rejects.toThrow('killed');
    expect(await left.store.tenants.exists(MOVED)).toBe(true);
    await right.execute(`update entitlement set name = 'changed' where id = '${MOVED}-7'`);
    expect(await move(left, right)).toEqual({ ok: false, failure: 'other tenant' });
    await left.execute(`update entitlement set name = 'changed' where id = '${MOVED}-7'`);
    expect(await move(left, right)).toMatchObject({ ok: true });
    expect(await allOf(right.store.audit.export('keeper'))).toHaveLength(1);
  });

  test('stores nothing where a row is not stored as it was given', async () => {
    await using two = await openTwo();
    const { left, right } = two;
    await fill(left.raw, MOVED, 2);
    await right.execute(`
      create function spoil() returns trigger language plpgsql as $$ begin new.name := new.name || ' '; return new; end $$;
      create trigger spoil before insert on role for each row execute function spoil()`);
    await expect(move(left, right)).rejects.toThrow('are not stored as they were given');
    expect(await right.store.tenants.exists(MOVED)).toBe(false);
    expect(await left.store.tenants.exists(MOVED)).toBe(true);
  });
});

const fails = async () => {
  throw new Error('There is nothing to take.');
};
