import { AUDITED_RESOURCES } from '@access-admin/domain';
import { describe, expect, inject, test } from 'vitest';
import {
  removeTenant,
  type Store,
  TENANT_REMOVAL_LEASE_MS,
  type TenantRemovalClaim,
  TenantRemoved,
} from '../src/index.ts';
import { isThrough } from '../src/tenants/removal/store.ts';
import { allOf } from './all-of.ts';
import { claimSoon } from './claim-soon.ts';
import { actIn, identityProfile, importAll, NOW, people } from './model-records.ts';
import { newCheck } from './new-check.ts';
import { newScan } from './new-report.ts';
import { dump, fill, openRaw, type Row, TENANT_TABLES } from './raw-database.ts';
import { ENGINE, openDatabase } from './store-engine.ts';

const GONE = 'gone-tenant';
const STAYS = 'stays';
/** More than a batch removes. */
const ROWS = 600;
const LATER_MS = Date.parse(NOW) + 60_000;

const sign = async () => 'signed';

const begin = (store: Store, tenant: string) => store.tenantRemovals.begin(actIn('operator'), tenant, sign);

async function claim(store: Store, nowMs = LATER_MS): Promise<TenantRemovalClaim> {
  const [claimed] = await claimSoon(() =>
    store.tenantRemovals.claim({ nowMs, leaseMs: TENANT_REMOVAL_LEASE_MS, limit: 1 }),
  );
  if (claimed === undefined) throw new Error('There is no removal to claim.');
  return claimed;
}

/** How many identities a search by a part of their id finds. */
async function countFound({ lookUps }: Store, tenant: string): Promise<number> {
  const conditions = [{ field: 'any', operator: 'co', values: ['ada'] }] as const;
  const { count } = await lookUps.count({ tenant, kind: 'identity', conditions });
  return count;
}

/** Removes all that is marked, at a time at which names need not be kept. */
async function removeAll(store: Store): Promise<void> {
  const deps = { removals: store.tenantRemovals, now: () => LATER_MS, wait: async () => {} };
  expect(await removeTenant(await claim(store), deps, new AbortController().signal)).toBe(true);
}

describe(`the removal of a tenant on ${ENGINE.name}`, () => {
  test('leaves no row of it in any table, and every row of others as it was', async () => {
    await using database = await openDatabase(ENGINE);
    const { store } = database;
    await using raw = await openRaw(database);
    await fill(raw, STAYS, 3);
    await importAll(store, 'imported', people({ 'i-1': [], 'i-2': [] }));
    await fill(raw, GONE, ROWS);
    const isOfOthers = (row: Row) => row['tenant'] !== GONE;
    const tables = [...(await raw.tables()).keys()];
    expect(tables).toEqual(expect.arrayContaining(TENANT_TABLES.map(({ name }) => name)));
    const before = await dump(raw, isOfOthers);
    await begin(store, GONE);
    await removeAll(store);
    const after = await dump(raw, isOfOthers);
    const own = (table: string) => (after[table] ?? []).filter((row) => !row.includes('"tenant":"operator'));
    const kept = (table: string) => (before[table] ?? []).filter((row) => !row.includes('"tenant":"operator'));
    // The version of shared data, the name that is kept, and what the operator's log tells of the removal.
    for (const table of tables.filter((name) => name !== 'shared_change' && name !== 'removed_tenant'))
      expect([table, own(table)]).toEqual([table, kept(table)]);
    const naming = await dump(raw, (row) => row['tenant'] !== 'operator' && JSON.stringify(row).includes(GONE));
    expect(Object.keys(naming).filter((table) => naming[table]?.length !== 0)).toEqual(['removed_tenant']);
    expect(await store.tenants.find(GONE)).toBeNull();
  });

  test('removes what its records are found by, and nothing of others', async () => {
    await using database = await openDatabase(ENGINE);
    const { store } = database;
    await using raw = await openRaw(database);
    for (const tenant of [GONE, STAYS]) await importAll(store, tenant, people({ ada: [], ben: [] }));
    expect([await countFound(store, GONE), await countFound(store, STAYS)]).toEqual([1, 1]);
    const documents = async () => (ENGINE.name === 'sqlite' ? (await raw.rows('search_text_docsize')).length : null);
    const before = await documents();
    await begin(store, GONE);
    await removeAll(store);
    if (before !== null) expect(await documents()).toBe(before / 2);
    expect([await countFound(store, GONE), await countFound(store, STAYS)]).toEqual([0, 1]);
  });

  test('is bounded in each batch, and goes on where another process was killed', async () => {
    await using database = await openDatabase(ENGINE);
    const { store } = database;
    await using raw = await openRaw(database);
    await fill(raw, GONE, ROWS);
    await begin(store, GONE);
    const killed = await claim(store, 1_000);
    const all = async () => (await Promise.all(TENANT_TABLES.map(({ name }) => raw.rows(name)))).flat().length;
    const first = await all();
    expect(await store.tenantRemovals.removeSome(killed, 0, 6_000)).toEqual({ next: 0 });
    expect(first - (await all())).toBe(250);
    expect((await store.tenants.find(GONE))?.removal).toEqual({ requested: NOW, removed: 250 });
    const another = await database.openAnother();
    const request = { leaseMs: TENANT_REMOVAL_LEASE_MS, limit: 1 };
    expect(await another.tenantRemovals.claim({ ...request, nowMs: 5_999 })).toEqual([]);
    await claim(another, 6_000);
    // The first one was only paused: it has no effect any more.
    expect(await store.tenantRemovals.removeSome(killed, 0, 20_000)).toBe('lost');
    expect(await store.tenantRemovals.finish(killed)).toBe('lost');
    await removeAll(another);
    expect(await store.tenants.find(GONE)).toBeNull();
  });

  test('records the signed end of its log in that of the caller, once', async () => {
    await using database = await openDatabase(ENGINE);
    const { store } = database;
    await importAll(store, GONE, people({ 'i-1': [] }));
    const head = await store.audit.head(GONE);
    const heads: unknown[] = [];
    for (const _ of [1, 2])
      await store.tenantRemovals.begin(actIn('operator'), GONE, async (signed) => {
        heads.push(signed);
        return 'signed';
      });
    expect(heads).toEqual([head]);
    expect(await allOf(store.audit.export('operator'))).toMatchObject([
      {
        resource: { type: 'TENANT', id: GONE },
        changes: [
          { field: 'created', before: NOW, after: null },
          { field: 'auditHead', before: { ...head, signature: 'signed' }, after: null },
        ],
      },
    ]);
    expect(AUDITED_RESOURCES).toContain('TENANT');
    expect(await begin(store, 'nobody')).toMatchObject({ ok: false, failure: { type: 'NotFound' } });
  });

  test('refuses every write of the tenant from its begin on, in every process', async () => {
    await using database = await openDatabase(ENGINE);
    const { store } = database;
    const another = await database.openAnother();
    await importAll(store, GONE, people({ 'i-1': [] }));
    await importAll(store, STAYS, people({ 'i-1': [] }));
    await begin(store, GONE);
    for (const each of [store, another]) {
      await expect(importAll(each, GONE, [identityProfile('new')])).rejects.toThrow(TenantRemoved);
      await expect(each.audit.recordDenial(actIn(GONE), { type: 'TENANT', id: null })).rejects.toThrow(TenantRemoved);
      await expect(each.clients.createFirst(CLIENT)).rejects.toThrow(TenantRemoved);
      await expect(each.clients.createBootstrap(actIn(GONE), CLIENT)).rejects.toThrow(TenantRemoved);
      await expect(
        each.clients.create(actIn('operator'), { ...CLIENT, scopes: ['auth-users:read'], identityId: null }),
      ).rejects.toThrow(TenantRemoved);
      await importAll(each, STAYS, [identityProfile('new')]);
      await expect(each.checks.enqueue(newCheck('r-1', { tenant: GONE }), 10)).rejects.toThrow(TenantRemoved);
      expect(await each.tenants.exists(GONE)).toBe(false);
      expect(await each.tenants.isClosedToIssuers(GONE, Date.parse(NOW))).toBe(true);
      expect(await each.tenants.isClosedToIssuers(STAYS, Date.parse(NOW))).toBe(false);
    }
    // A tenant that is being removed removes no other one.
    await expect(store.tenantRemovals.begin(actIn(GONE), STAYS, sign)).rejects.toThrow(TenantRemoved);
    await using raw = await openRaw(database);
    expect(await raw.rows('sod_check')).toEqual([]);
    await removeAll(store);
    expect(await importAll(store, GONE, people({ 'i-2': [] }))).toBeDefined();
    expect((await allOf(store.audit.export(GONE)))[0]).toMatchObject({ sequence: 1, previousHash: null });
  });

  test('refuses writes as such, whatever of the tenant is removed already', async () => {
    await using database = await openDatabase(ENGINE);
    const { store } = database;
    await using raw = await openRaw(database);
    await fill(raw, GONE, ROWS);
    await begin(store, GONE);
    const held = await claim(store);
    for (let at = 0; !isThrough(at); ) {
      await expect(
        store.clients.create(actIn('operator'), { ...CLIENT, scopes: ['auth-users:read'], identityId: null }),
      ).rejects.toThrow(TenantRemoved);
      const step = await store.tenantRemovals.removeSome(held, at, LATER_MS);
      if (typeof step === 'string') throw new Error(step);
      at = step.next;
    }
  });

  test('leaves nothing of the tenant to be claimed, and holds up no claim of others', async () => {
    await using database = await openDatabase(ENGINE);
    const { store, execute } = database;
    await using raw = await openRaw(database);
    for (const tenant of [GONE, STAYS]) {
      await importAll(store, tenant, people({ 'i-1': [] }));
      await store.reports.enqueue(newScan('r-1', { tenant }), 10);
    }
    const reports = await raw.rows('sod_report');
    await begin(store, GONE);
    // A worker that has looked for work before the mark still finds them.
    await raw.insert(
      'sod_report',
      reports.filter(({ tenant }) => tenant === GONE),
    );
    await execute(`update tenant set register_behind_since = '' where tenant = '${GONE}'`);
    const claiming = { nowMs: LATER_MS, leaseMs: 1_000 };
    expect((await claimSoon(async () => listOf(await store.reports.claim(claiming))))[0]?.tenant).toBe(STAYS);
    const register = () => store.register.claim({ ...claiming, limit: 10 });
    expect((await claimSoon(register))[0]?.tenant).toBe(STAYS);
    expect([await store.reports.claim(claiming), await register()]).toEqual([null, []]);
  });

  test('stores nothing of the checks of the tenant, neither of those that are claimed nor of those that wait', async () => {
    await using database = await openDatabase(ENGINE);
    const { store } = database;
    await using raw = await openRaw(database);
    for (const tenant of [GONE, STAYS]) {
      await importAll(store, tenant, people({ 'i-1': [] }));
      for (const id of ['r-1', 'r-2']) await store.checks.enqueue(newCheck(id, { tenant }), 10);
    }
    const claiming = { nowMs: LATER_MS, leaseMs: 1_000, limit: 2 };
    const held = await claimSoon(() => store.checks.claim(claiming));
    expect(held.map(({ tenant }) => tenant).toSorted()).toEqual([GONE, STAYS]);
    await begin(store, GONE);
    const waiting = await claimSoon(() => store.checks.claim(claiming));
    expect(waiting.map(({ tenant }) => tenant)).toEqual([STAYS]);
    const ofOther = held.filter(({ tenant }) => tenant === STAYS);
    expect(await store.checks.renew(held, LATER_MS + 2_000)).toEqual(ofOther);
    const eventsOf = async (tenant: string) =>
      (await raw.rows('event')).filter((row) => row['tenant'] === tenant).length;
    const before = { gone: await eventsOf(GONE), stays: await eventsOf(STAYS) };
    const completions = held.map((one) => ({ ...one, state: 'SUCCESS', completed: NOW, result: '{}' }) as const);
    expect(await store.checks.complete(completions)).toBe(1);
    expect([await eventsOf(GONE), await eventsOf(STAYS)]).toEqual([before.gone, before.stays + 1]);
  });

  test('finds nobody to act in the tenant', async () => {
    await using database = await openDatabase(ENGINE);
    const { store } = database;
    const another = await database.openAnother();
    await importAll(store, GONE, people({ 'i-1': [] }));
    await store.clients.createFirst(CLIENT);
    for (const each of [store, another]) {
      expect(await each.clients.findCaller(GONE, CLIENT.id)).not.toBeNull();
      expect(await each.clients.findCapabilities(GONE, 'i-1')).toEqual([]);
    }
    await begin(store, GONE);
    for (const each of [store, another]) {
      await expect.poll(() => each.clients.findCaller(GONE, CLIENT.id), { timeout: 10_000 }).toBeNull();
      expect(await each.clients.findCapabilities(GONE, 'i-1')).toBeNull();
      expect(await each.clients.findForToken(CLIENT.id)).toBeNull();
    }
  });

  test.each(['audit_event', 'audit_event_member', 'audit_head'])(
    'lets go of %s of the marked tenant alone',
    async (table) => {
      await using database = await openDatabase(ENGINE);
      const { store, execute } = database;
      await using raw = await openRaw(database);
      await fill(raw, GONE, 2);
      await fill(raw, STAYS, 2);
      const remove = (tenant: string) => execute(`delete from ${table} where tenant = '${tenant}'`);
      for (const tenant of [GONE, STAYS]) await expect(remove(tenant)).rejects.toThrow('the audit log is append-only');
      await begin(store, GONE);
      await expect(remove(STAYS)).rejects.toThrow('the audit log is append-only');
      await expect(execute(`delete from ${table}`)).rejects.toThrow('the audit log is append-only');
      if (table !== 'audit_head')
        await expect(execute(`update ${table} set tenant = 'x' where tenant = '${GONE}'`)).rejects.toThrow(
          inject('isOnCitus') ? 'modifying the partition value' : 'append-only',
        );
      await remove(GONE);
      expect((await raw.rows(table)).map((row) => row['tenant']).toSorted()).toContain(STAYS);
      expect((await raw.rows(table)).filter((row) => row['tenant'] === GONE)).toEqual([]);
    },
  );

  test('drops counts of refused requests of the tenant that was removed', async () => {
    await using database = await openDatabase(ENGINE);
    const { store } = database;
    const record = (time: string) =>
      store.audit.recordRepeatedDenials(GONE, [
        { auditContext: { ...actIn(GONE), time }, resource: { type: 'AUTH_USER', id: null }, count: 2 },
      ]);
    await record(NOW);
    expect(await store.audit.head(GONE)).toMatchObject({ sequence: 0, hash: null });
    await importAll(store, GONE, [identityProfile('ip')]);
    const { sequence } = await store.audit.head(GONE);
    await record('2000-01-01T00:00:00.000Z');
    expect((await store.audit.head(GONE)).sequence).toBe(sequence);
    await record(NOW);
    expect((await store.audit.head(GONE)).sequence).toBe(sequence + 1);
    await begin(store, GONE);
    await record(NOW);
    expect((await store.audit.head(GONE)).sequence).toBe(sequence + 1);
  });

  test('keeps the name for a while, although nothing is left', async () => {
    await using database = await openDatabase(ENGINE);
    const { store } = database;
    await importAll(store, GONE, people({ 'i-1': [] }));
    await begin(store, GONE);
    const requestedMs = Date.parse(NOW);
    const clock = { nowMs: requestedMs + 1_000 };
    const deps = { removals: store.tenantRemovals, now: () => clock.nowMs, wait: async () => {} };
    const { signal } = new AbortController();
    expect(await removeTenant(await claim(store, clock.nowMs), deps, signal)).toBe(false);
    expect(await store.tenants.find(GONE)).not.toBeNull();
    expect(await store.tenantRemovals.claim({ nowMs: clock.nowMs, leaseMs: 1_000, limit: 1 })).toEqual([]);
    clock.nowMs = requestedMs + 5_000;
    expect(await removeTenant(await claim(store, clock.nowMs), deps, signal)).toBe(true);
    expect(await store.tenants.find(GONE)).toBeNull();
  });

  test('keeps the name against external issuers for 400 days, also from a tenant that has it again', async () => {
    await using database = await openDatabase(ENGINE);
    const { store } = database;
    const another = await database.openAnother();
    const removedMs = Date.parse(NOW);
    const isClosed = async (each: Store, days: number) =>
      each.tenants.isClosedToIssuers(GONE, removedMs + days * 86_400_000);
    for (const each of [store, another]) expect(await isClosed(each, 0)).toBe(false);
    await importAll(store, GONE, people({ 'i-1': [] }));
    await begin(store, GONE);
    await removeAll(store);
    await store.clients.create(actIn('operator'), { ...CLIENT, scopes: [], identityId: null });
    for (const each of [store, another]) {
      await expect.poll(() => isClosed(each, 399), { timeout: 10_000 }).toBe(true);
      expect(await isClosed(each, 400)).toBe(false);
    }
    await using raw = await openRaw(database);
    const kept = async () => (await dump(raw, () => true))['removed_tenant']?.map((row) => JSON.parse(row).name);
    expect(await kept()).toEqual([GONE]);
    const later = { ...actIn('operator'), time: new Date(removedMs + 401 * 86_400_000).toISOString() };
    await importAll(store, STAYS, people({ 'i-1': [] }));
    expect((await store.tenantRemovals.begin(later, STAYS, sign)).ok).toBe(true);
    const farMs = LATER_MS + 401 * 86_400_000;
    const deps = { removals: store.tenantRemovals, now: () => farMs, wait: async () => {} };
    expect(await removeTenant(await claim(store, farMs), deps, new AbortController().signal)).toBe(true);
    expect(await kept()).toEqual([STAYS]);
  });

  test('stops at a signal, and gives the removal back', async () => {
    await using database = await openDatabase(ENGINE);
    const { store } = database;
    await using raw = await openRaw(database);
    await fill(raw, GONE, ROWS);
    await begin(store, GONE);
    const stopping = new AbortController();
    const deps = { removals: store.tenantRemovals, now: () => LATER_MS, wait: async () => stopping.abort() };
    expect(await removeTenant(await claim(store), deps, stopping.signal)).toBe(false);
    expect((await store.tenants.find(GONE))?.removal?.removed).toBe(250);
    await removeAll(store);
  });
});

const listOf = <T>(one: T | null): readonly T[] => (one === null ? [] : [one]);

const CLIENT = { tenant: GONE, id: 'c-gone', name: 'c', created: NOW, secretHash: 'hash' };
