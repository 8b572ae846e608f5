import { expect, onTestFinished, test } from 'vitest';
import { TENANT_REMOVAL_LEASE_MS } from '../src/index.ts';
import { allOf } from './all-of.ts';
import { claimSoon } from './claim-soon.ts';
import { actIn, importAll, NOW, people } from './model-records.ts';
import { openRaw } from './raw-database.ts';
import { ENGINE, openDatabase } from './store-engine.ts';
import { startStoreProcess } from './store-process.ts';
import { withLock } from './with-lock.ts';

const open = async () => {
  const database = await openDatabase(ENGINE);
  onTestFinished(() => database[Symbol.asyncDispose]());
  const raw = await openRaw(database);
  onTestFinished(() => raw[Symbol.asyncDispose]());
  const { store } = database;
  const recorded = async (tenant: string) => (await allOf(store.audit.export(tenant))).map(({ resource }) => resource);
  return { ...database, raw, recorded };
};

/** A process that acts in acme is killed as soon as `hasCome`, while a lock holds up its next write of a tenant. */
async function killBefore(url: string, task: string, tenant: string, hasCome: () => Promise<boolean>): Promise<void> {
  await withLock(url, tenant, async () => {
    const child = startStoreProcess(url, task);
    await expect.poll(hasCome, { timeout: 60_000 }).toBe(true);
    child.kill();
    expect(await child.exit).toBeNull();
  });
}

const CLIENT = { type: 'OAUTH_CLIENT', id: 'c-1' };

test('a client of another tenant, which no one commit can store, leaves an unused id where its process is killed before it is recorded', async () => {
  const { url, store, raw, recorded } = await open();
  const isReserved = async () => (await raw.rows('oauth_client_tenant')).length > 0;
  await killBefore(url, 'client', 'acme', isReserved);
  expect(await raw.rows('oauth_client_tenant')).toEqual([{ id: 'c-1', tenant: 'globex' }]);
  expect([await recorded('acme'), await recorded('globex')]).toEqual([[], []]);
  expect(await store.clients.findForToken('c-1')).toBeNull();
  expect(await store.clients.hasAny()).toBe(false);
  const first = { tenant: 'acme', id: 'c-first', name: 'first', created: NOW, secretHash: 'hash' };
  expect(await store.clients.createFirst(first)).toBe(true);
});

test('and a record of what was tried where it is killed before the client is stored', async () => {
  const { url, store, raw, recorded } = await open();
  await killBefore(url, 'client', 'globex', async () => (await recorded('acme')).length > 0);
  expect([await recorded('acme'), await recorded('globex')]).toEqual([[CLIENT], []]);
  expect(await raw.rows('oauth_client')).toEqual([]);
  expect(await store.clients.findForToken('c-1')).toBeNull();
  expect(await store.clients.hasAny()).toBe(false);
});

test('a removal whose process is killed before it is recorded is recorded by whoever claims it, once', async () => {
  const { url, store, raw, recorded } = await open();
  await importAll(store, 'globex', people({ 'i-1': [] }));
  const head = await store.audit.head('globex');
  await killBefore(url, 'remove', 'acme', async () => (await raw.rows('tenant_removal')).length > 0);
  expect(await recorded('acme')).toEqual([]);
  const claim = (nowMs: number) =>
    store.tenantRemovals.claim({ nowMs: Date.parse(NOW) + nowMs, leaseMs: TENANT_REMOVAL_LEASE_MS, limit: 1 });
  expect(await claim(4_999)).toEqual([]);
  expect(await claimSoon(() => claim(5_000))).toHaveLength(1);
  expect(await claimSoon(() => claim(11_000))).toHaveLength(1);
  expect(await allOf(store.audit.export('acme'))).toMatchObject([
    {
      resource: { type: 'TENANT', id: 'globex' },
      changes: [{ field: 'created' }, { field: 'auditHead', before: { ...head, signature: 'signed' }, after: null }],
    },
  ]);
  expect(await store.tenantRemovals.begin(actIn('acme'), 'globex', async () => 'again')).toMatchObject({ ok: true });
  expect(await recorded('acme')).toHaveLength(1);
});
