import { ok } from '@access-admin/domain';
import { createClusterDatabase } from '@access-admin/harness';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createCheckQueue } from '../src/checks/store.ts';
import { createChangedTenants } from '../src/engine/citus/changed-tenants.ts';
import { onSeveralServers } from '../src/engine/citus/several-servers.ts';
import { openPostgresDatabase } from '../src/engine/postgres/database.ts';
import { POSTGRES_LIMITS } from '../src/engine/postgres/limits.ts';
import type { NewReport, Store } from '../src/index.ts';
import { StorageUnavailable } from '../src/index.ts';
import { webhookRecord } from './call-every-webhook-method.ts';
import { actIn, identity, identityProfile, importAll, NOW } from './model-records.ts';
import { newCheck } from './new-check.ts';
import { openDatabase } from './store-engine.ts';

/** A process that acts in tenants, and one that looks for work of theirs and has looked at all of them before. */
async function open() {
  const database = await openDatabase({ name: 'postgres', createDatabase: () => createClusterDatabase() });
  onTestFinished(() => database[Symbol.asyncDispose]());
  const worker = await database.openAnother();
  for (const find of Object.values(LOOKS)) expect(await find(worker)).toBeNull();
  return { ...database, worker };
}

function openDistributed(url: string) {
  const database = openPostgresDatabase({ url, limits: POSTGRES_LIMITS, layout: 'distributed', migrations: {} });
  onTestFinished(() => database.close());
  return { database, changedTenants: createChangedTenants(database.commits) };
}

const at = { nowMs: Date.parse(NOW), leaseMs: 1_000 };

/** The tenant of the work of each kind that is found next; null for none. */
const LOOKS: Readonly<Record<string, (worker: Store) => Promise<string | null>>> = {
  report: async ({ reports }) => (await reports.claim(at))?.tenant ?? null,
  register: async ({ register }) => (await register.claim({ ...at, limit: 1 }))[0]?.tenant ?? null,
  webhook: async ({ webhooks }) => (await webhooks.claim({ ...at, limit: 10 }))[0]?.tenant ?? null,
};

const report = (tenant: string): NewReport => ({
  tenant,
  reportId: 'r-1',
  created: NOW,
  blastRadius: null,
  at: null,
  requestedBy: { clientId: 'c', identityId: null },
  question: { remove: ['p'] },
  kind: 'DRY_RUN',
  dryRun: { add: [], change: [], remove: ['p'] },
});

describe('a worker on Citus', () => {
  test('finds work of a tenant that another process has told of', async () => {
    const { store, worker } = await open();
    await store.webhooks.create(actIn('hooked'), { webhook: webhookRecord('w-1'), secret: 'v1.k.s' }, ok);
    await store.reports.enqueue(report('reported'), 10);
    await expect.poll(() => LOOKS['report']?.(worker), { timeout: 20_000 }).toBe('reported');
    await importAll(store, 'hooked', [identityProfile('ip'), identity('i-1')]);
    await expect.poll(() => LOOKS['register']?.(worker), { timeout: 20_000 }).toBe('hooked');
    await expect.poll(() => LOOKS['webhook']?.(worker), { timeout: 20_000 }).toBe('hooked');
  });

  test('claims new checks that it was told of, without a look before it', async () => {
    const { store, worker } = await open();
    await worker.checks.claim({ ...at, limit: 10 });
    const told = new Promise<void>((resolve) => {
      worker.onCommit((arising) => {
        if (arising === 'checks') resolve();
      });
    });
    await store.checks.enqueue(newCheck('r-1', { tenant: 'checked' }), 10);
    await told;
    const claimed = await worker.checks.claim({ ...at, limit: 10 });
    expect(claimed.map(({ requestId }) => requestId)).toEqual(['r-1']);
  });

  test('claims of a tenant again after a claim that failed, without a look before it', async () => {
    const { url, store } = await open();
    const { database, changedTenants } = openDistributed(url);
    const failures = [new StorageUnavailable('The storage is away.')];
    const queue = createCheckQueue({
      ...database,
      ...onSeveralServers(database, { ...changedTenants, now: () => 0 }),
      writeLease: (statement) => {
        const failure = failures.pop();
        return failure === undefined ? database.writeLease(statement) : Promise.reject(failure);
      },
    });
    expect(await queue.claim({ ...at, limit: 10 })).toEqual([]);
    const signalled = new Promise<void>((resolve) => changedTenants.subscribe(() => resolve()));
    await store.checks.enqueue(newCheck('r-1', { tenant: 'checked' }), 10);
    await signalled;
    await expect(queue.claim({ ...at, limit: 10 })).rejects.toThrow('The storage is away.');
    expect(await queue.claim({ ...at, limit: 10 })).toMatchObject([{ requestId: 'r-1' }]);
  });

  test('claims work again whose lease ends while a node is away, so that no look has an answer', async () => {
    const { url, store } = await open();
    const { database, changedTenants } = openDistributed(url);
    const cluster = { nowMs: 0, isAway: false };
    const queue = createCheckQueue({
      ...database,
      ...onSeveralServers(database, {
        ...changedTenants,
        now: () => cluster.nowMs,
        unlessAway: (work) => (cluster.isAway ? work.then(() => null) : changedTenants.unlessAway(work)),
      }),
    });
    expect(await queue.claim({ ...at, limit: 10 })).toEqual([]);
    const signalled = new Promise<void>((resolve) => changedTenants.subscribe(() => resolve()));
    await store.checks.enqueue(newCheck('r-1', { tenant: 'checked' }), 10);
    await signalled;
    expect(await queue.claim({ ...at, limit: 10 })).toMatchObject([{ attempts: 1 }]);
    Object.assign(cluster, { nowMs: 1_000, isAway: true });
    const claimLater = () => queue.claim({ nowMs: at.nowMs + at.leaseMs, leaseMs: at.leaseMs, limit: 10 });
    await expect.poll(claimLater, { timeout: 20_000 }).toMatchObject([{ attempts: 2 }]);
  });

  test('finds work that nobody has told of', async () => {
    const { store, worker, execute } = await open();
    await importAll(store, 'quiet', [identityProfile('ip')]);
    await expect.poll(() => LOOKS['register']?.(worker), { timeout: 20_000 }).toBe('quiet');
    expect(await LOOKS['register']?.(worker)).toBeNull();
    await execute(`update register_head set claimable_at_ms = 0 where tenant = 'quiet'`);
    await expect.poll(() => LOOKS['register']?.(worker), { timeout: 20_000 }).toBe('quiet');
  });
});
