import { ok } from '@access-admin/domain';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type CheckCompletion, StorageUnavailable, type Store } from '../src/index.ts';
import { openCutProxy } from './cut-proxy.ts';
import { actIn, NOW } from './model-records.ts';
import { newCheck } from './new-check.ts';
import { openProxiedCluster, type ProxiedCluster, type ProxiedNode } from './proxied-nodes.ts';

/** The address of the coordinator of a Citus cluster. */
const CITUS_URL = process.env['TEST_CITUS_URL'] ?? '';

const MANY = 100_000;

const append = (store: Store, tenant: string, text: string) =>
  store.uiMetadata.change(actIn(tenant), {
    decide: (metadata) => ok({ ...metadata, usernameLabel: `${metadata.usernameLabel ?? ''}${text}` }),
  });

const labelOf = async (store: Store, tenant: string) => (await store.uiMetadata.read(tenant)).usernameLabel;

const waitUntil = (condition: () => Promise<boolean>) => vi.waitUntil(condition, { interval: 5, timeout: 10_000 });

/** Whether a transaction on the node waits for another one. */
const isWaiting = async ({ query }: ProxiedNode): Promise<boolean> =>
  (await query(`select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`))
    .length > 0;

const nameOf = ({ tenant, requestId }: { readonly tenant: string; readonly requestId: string }) =>
  `${tenant} ${requestId}`;

const REPORT = {
  reportId: 'scan',
  kind: 'SCAN',
  created: NOW,
  origin: null,
  dryRun: null,
  blastRadius: null,
  at: null,
  requestedBy: { clientId: 'c', identityId: null },
  question: {},
} as const;

const eventsOf = (tenant: string) => `select count(*)::integer as count from audit_event where tenant = '${tenant}'`;

let cluster: ProxiedCluster;

beforeAll(async () => {
  if (CITUS_URL !== '') cluster = await openProxiedCluster();
});
beforeEach(({ skip }) => skip(CITUS_URL === '', 'TEST_CITUS_URL names no coordinator of a Citus cluster'));
afterAll(() => cluster?.[Symbol.asyncDispose]());

describe('a write on Citus', () => {
  // H9
  test('waits for one that came by another coordinator, which knows no advisory lock of this one', async () => {
    const [node] = cluster.nodes;
    const tenant = node.newTenant();
    await using store = await cluster.open();
    await append(store, tenant, 'a');
    await node.query('begin');
    await node.query(`select 1 from tenant_change where tenant = $1 and line = '' for update`, [tenant]);
    await node.query(`update tenant set username_label = 'of the other ' where tenant = $1`, [tenant]);
    const write = append(store, tenant, 'b');
    await waitUntil(() => isWaiting(node));
    await node.query('commit');
    await write;
    expect(await labelOf(store, tenant)).toBe('of the other b');
  });
});

describe('a snapshot on Citus', () => {
  test('whose session a node has ended is no longer read: its transaction has failed', async () => {
    const [node] = cluster.nodes;
    const tenant = node.newTenant();
    await using store = await cluster.open();
    await append(store, tenant, 'a');
    const records = store.accessModel.export(tenant)[Symbol.asyncIterator]();
    expect((await records.next()).value).toMatchObject({ kind: 'uiMetadata' });
    await node.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and state = 'idle in transaction'`);
    await expect(records.next()).rejects.toThrow(StorageUnavailable);
    expect(await labelOf(store, tenant)).toBe('a');
  });
});

/** The SQLSTATE of the end of a wait for a lock on a node, in a session of the coordinator with this setting. */
async function endOfWait(tenant: string, propagated: 'local' | 'none'): Promise<unknown> {
  const client = new pg.Client({ connectionString: cluster.url });
  await client.connect();
  await client.query(`set citus.propagate_set_commands = ${propagated}; set statement_timeout = 1000`);
  await client.query('begin; set local lock_timeout = 100');
  const waiting = client.query('update sod_report set progress = 0 where tenant = $1', [tenant]);
  const code = await waiting.then(
    () => null,
    (error) => error.code,
  );
  await client.end();
  return code;
}

// H7
describe('a claim on Citus', () => {
  test('waits for a lock on a node no longer than its transaction says', async () => {
    const [node] = cluster.nodes;
    const tenant = node.newTenant();
    await using store = await cluster.open();
    await store.reports.enqueue({ ...REPORT, tenant }, MANY);
    await node.query('begin');
    await node.query('select 1 from sod_report where tenant = $1 for update', [tenant]);
    expect(await store.reports.claim({ nowMs: Date.parse(NOW), leaseMs: 30_000 })).toBe(null);
    expect(await endOfWait(tenant, 'local')).toBe('55P03');
    // Without the setting of the store's sessions, the limit holds on the coordinator alone.
    expect(await endOfWait(tenant, 'none')).toBe('57014');
    await node.query('rollback');
    expect(await store.reports.claim({ nowMs: Date.parse(NOW), leaseMs: 30_000 })).toMatchObject({ tenant });
  });
});

describe('a commit on Citus', () => {
  // H4
  test.each(['before', 'after'] as const)('that a node loses %s it arrives leaves a write done once', async (when) => {
    const [{ proxy, newTenant }] = cluster.nodes;
    const tenant = newTenant();
    await using store = await cluster.open();
    await append(store, tenant, 'a');
    proxy.cutAt('COMMIT\0', when);
    expect(await append(store, tenant, 'b')).toMatchObject({ ok: true });
    expect(await labelOf(store, tenant)).toBe('ab');
    expect(await cluster.query(eventsOf(tenant))).toEqual([{ count: 2 }]);
  });

  test.each(['before', 'after'] as const)('of a check that a node loses %s it arrives stores it once', async (when) => {
    const [{ proxy, newTenant }] = cluster.nodes;
    const tenant = newTenant();
    await using store = await cluster.open();
    await store.checks.enqueue({ ...newCheck('r-1'), tenant }, MANY);
    proxy.cutAt('INSERT INTO', when);
    expect(await store.checks.enqueue({ ...newCheck('r-2'), tenant }, MANY)).toBe('stored');
    expect(await cluster.query(`select request_id from sod_check where tenant = '${tenant}' order by 1`)).toEqual([
      { request_id: 'r-1' },
      { request_id: 'r-2' },
    ]);
  });

  // H5
  test.each([false, true])(
    'that still runs on its node, after the coordinator has lost its connection, is waited for (first write: %s)',
    async (isFirst) => {
      const [{ proxy, newTenant }] = cluster.nodes;
      const tenant = newTenant();
      await using toCoordinator = await openCutProxy(cluster.url);
      await using store = await cluster.open({}, toCoordinator.url);
      if (!isFirst) await append(store, tenant, 'a');
      const commit = proxy.holdAt('COMMIT\0');
      const write = append(store, tenant, 'b');
      await commit.isHeld;
      // The lock of the coordinator would be free from now on.
      toCoordinator.cutAll();
      await cluster.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where pid <> pg_backend_pid() and datname = current_database() and query = 'commit'`,
      );
      let isDone = false;
      void write.finally(() => {
        isDone = true;
      });
      await waitUntil(() => isWaiting(cluster.nodes[0]));
      expect(isDone).toBe(false);
      commit.release();
      expect(await write).toMatchObject({ ok: true });
      expect(await labelOf(store, tenant)).toBe(isFirst ? 'b' : 'ab');
      expect(await cluster.query(eventsOf(tenant))).toEqual([{ count: isFirst ? 1 : 2 }]);
    },
  );
});

/** Whether the store answers from its memory who a caller is. */
async function isRemembered(store: Store, tenant: string): Promise<boolean> {
  const caller = store.clients.findCaller(tenant, `c-${tenant}`);
  await caller;
  return !(caller instanceof Promise);
}

/** Whether a call is refused, and sooner than a node is waited for. */
async function isRefusedAtOnce(call: () => unknown): Promise<boolean> {
  const startMs = performance.now();
  const [outcome] = await Promise.allSettled([call()]);
  return (
    outcome.status === 'rejected' && outcome.reason instanceof StorageUnavailable && performance.now() - startMs < 100
  );
}

const createClient = (store: Store, tenant: string) =>
  store.clients.create(actIn(tenant), {
    tenant,
    id: `c-${tenant}`,
    name: 'c',
    scopes: [],
    identityId: null,
    created: NOW,
    secretHash: 'x',
  });

/** Locks the shard of a tenant as a move of it does, until the returned function is called. */
async function lockShardOf(tenant: string): Promise<() => Promise<void>> {
  const move = new pg.Client({ connectionString: cluster.url });
  await move.connect();
  await move.query('begin');
  const shard = `get_shard_id_for_distribution_column('tenant', $1::text)`;
  await move.query(`select lock_shard_metadata(7, array[${shard}]), lock_shard_resources(7, array[${shard}])`, [
    tenant,
  ]);
  return () => move.end();
}

describe('a shard that is being moved', () => {
  test('makes writes of its tenants fail, of which nothing is stored, and holds up no checks and reports of others', async () => {
    const tenant = cluster.nodes[0].newTenant();
    const neighbour = cluster.nodes[1].newTenant();
    await using store = await cluster.open({ lockMs: 300 });
    for (const each of [tenant, neighbour]) {
      await append(store, each, 'a');
      await store.checks.enqueue({ ...newCheck('r-1'), tenant: each }, MANY);
      await store.checks.enqueue({ ...newCheck('r-2'), tenant: each }, MANY);
      await store.reports.enqueue({ ...REPORT, tenant: each }, MANY);
    }
    const claim = (limit: number) =>
      store.checks.claim({ nowMs: Date.parse(NOW), leaseMs: 30_000, limit, attemptsMax: 5 });
    const before = await claim(2);
    expect(before.map(nameOf)).toEqual(expect.arrayContaining([`${tenant} r-1`, `${neighbour} r-1`]));
    const endMove = await lockShardOf(tenant);
    await expect(append(store, tenant, 'x')).rejects.toThrow(StorageUnavailable);
    // Both claims and completions are of both tenants.
    expect((await claim(10)).map(nameOf)).toEqual([`${neighbour} r-2`]);
    const completions = before.map(
      ({ tenant, requestId, fence, created }): CheckCompletion => ({
        tenant,
        requestId,
        fence,
        created,
        completed: NOW,
        state: 'SUCCESS',
        result: '{}',
      }),
    );
    expect(await store.checks.complete(completions)).toEqual({ effective: 1, lockedTenants: new Set([tenant]) });
    expect(await store.reports.claim({ nowMs: Date.parse(NOW), leaseMs: 30_000 })).toMatchObject({ tenant: neighbour });
    expect(await store.reports.claim({ nowMs: Date.parse(NOW), leaseMs: 30_000 })).toBe(null);
    // An attempt that cannot be taken back now is taken back later.
    await store.checks.giveBack(before.filter((each) => each.tenant === tenant));
    await endMove();
    expect(await labelOf(store, tenant)).toBe('a');
    await append(store, tenant, 'b');
    expect(await labelOf(store, tenant)).toBe('ab');
    const after = await claim(10);
    expect(after.map(({ requestId, attempts }) => [requestId, attempts])).toEqual([
      ['r-1', 1],
      ['r-2', 1],
    ]);
    expect(await store.reports.claim({ nowMs: Date.parse(NOW), leaseMs: 30_000 })).toMatchObject({ tenant });
  });
});

// H8
describe('a node of Citus that', () => {
  const faults = {
    'is down': (node: ProxiedNode, isAway: boolean) => node.proxy.refuse(isAway),
    hangs: async (node: ProxiedNode, isAway: boolean) => node.proxy.hang(isAway),
  };
  test.each(['is down', 'hangs'] as const)(
    '%s makes only calls of its tenants fail, until it is back',
    async (name) => {
      const [node, other] = cluster.nodes;
      const tenant = node.newTenant();
      const neighbour = other.newTenant();
      await using store = await cluster.open({ pollEveryMs: 100 });
      await using another = await cluster.open({ pollEveryMs: 100 });
      for (const each of [tenant, neighbour]) {
        await append(store, each, 'a');
        await createClient(store, each);
      }
      await waitUntil(() => isRemembered(store, tenant));
      await waitUntil(() => isRemembered(store, neighbour));
      const setAway = faults[name];
      await setAway(node, true);
      await vi.waitUntil(() => store.countUnreachableShards() > 0, { interval: 5, timeout: 10_000 });
      // Of the tenants of other nodes, what is cached stays trusted, and what others commit is learned of.
      await waitUntil(() => isRemembered(store, neighbour));
      await append(another, neighbour, 'b');
      expect(await labelOf(store, neighbour)).toBe('ab');
      for (const call of [() => append(store, tenant, 'x'), () => store.clients.findCaller(tenant, `c-${tenant}`)])
        await vi.waitUntil(() => isRefusedAtOnce(call), { interval: 20, timeout: 20_000 });
      expect(await store.checks.enqueue({ ...newCheck('r-1'), tenant: neighbour }, MANY)).toBe('stored');
      await store.ping();
      await setAway(node, false);
      await vi.waitFor(() => append(store, tenant, 'b'), { interval: 20, timeout: 20_000 });
      expect(await labelOf(store, tenant)).toBe('ab');
      await vi.waitUntil(() => store.countUnreachableShards() === 0, { interval: 5, timeout: 10_000 });
      await waitUntil(() => isRemembered(store, tenant));
    },
  );
});
