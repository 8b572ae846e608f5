import { ok } from '@access-admin/domain';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { POSTGRES_LIMITS } from '../src/engine/postgres/limits.ts';
import { createPostgresConnections } from '../src/engine/postgres/pool.ts';
import { type CheckCompletion, type ClaimedCheck, StorageUnavailable, type Store } from '../src/index.ts';
import { openCutProxy } from './cut-proxy.ts';
import { actIn, entitlement, identity, identityProfile, importAll, NOW, people } from './model-records.ts';
import { newCheck } from './new-check.ts';
import { newScan } from './new-report.ts';
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

const eventsOf = (tenant: string) => `select count(*)::integer as count from audit_event where tenant = '${tenant}'`;

let cluster: ProxiedCluster;

beforeAll(async () => {
  if (CITUS_URL !== '') cluster = await openProxiedCluster();
});
beforeEach(({ skip }) => skip(CITUS_URL === '', 'TEST_CITUS_URL names no coordinator of a Citus cluster'));
afterAll(() => cluster?.[Symbol.asyncDispose]());

describe('a write on Citus', () => {
  test('is learned of, by its own process and by others, although the coordinator gives it no number', async () => {
    const tenant = cluster.nodes[0].newTenant();
    await using store = await cluster.open();
    await using another = await cluster.open();
    const capabilitiesIn = async (each: Store) => (await each.clients.findCaller(tenant, `c-${tenant}`))?.capabilities;
    await importAll(store, tenant, people({ 'i-1': [] }));
    await createClient(store, tenant, 'i-1');
    for (const each of [store, another]) await waitUntil(() => isRemembered(each, tenant));
    await importAll(store, tenant, people({ 'i-1': ['ORG_ADMIN'] }));
    expect(await capabilitiesIn(store)).toEqual(['ORG_ADMIN']);
    await expect.poll(() => capabilitiesIn(another)).toEqual(['ORG_ADMIN']);
  });

  // The row of its version is the lock.
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

/** How many connections to a node a transaction of a session of the store has, and may have, with these settings besides its own. */
async function countConnections(settings: Readonly<Record<string, string | number>>) {
  const eager = { 'citus.executor_slow_start_interval': 0 };
  // What it reads of all shards is not of the service.
  const { client, connect } = createPostgresConnections(`${cluster.url}?application_name=test`, POSTGRES_LIMITS, {
    layout: 'distributed',
    settings: { ...settings, ...eager },
  }).openClient();
  await connect();
  await client.query('begin isolation level repeatable read read only');
  await client.query('select count(*) from identity');
  const { rows } = await client.query(`
    select 'citus_internal gpid=' || citus_backend_gpid() as name,
      current_setting('citus.max_adaptive_executor_pool_size')::integer as most`);
  const connections = await cluster.nodes[0].query(
    `select 1 from pg_stat_activity where state = 'idle in transaction' and application_name = $1`,
    [rows[0].name],
  );
  await client.end();
  return { most: rows[0].most, open: connections.length };
}

describe('a snapshot on Citus', () => {
  test('is of one instant in all statements of an export, while others write', async () => {
    const tenant = cluster.nodes[0].newTenant();
    await using store = await cluster.open();
    const numbered = (number: number) => [
      entitlement('e-1', String(number)),
      identityProfile('ip', { name: String(number) }),
      identity('i-1', { displayName: String(number) }),
    ];
    await importAll(store, tenant, numbered(0));
    for (let round = 0; round < 5; round++) {
      const numbers: unknown[] = [];
      for await (const record of store.accessModel.export(tenant)) {
        numbers.push('displayName' in record ? record.displayName : 'name' in record && record.name);
        // The records of each kind are read by a statement of their own: a write is committed before each.
        await importAll(store, tenant, numbered(10 * round + numbers.length));
      }
      expect(numbers).toEqual(Array(3).fill(String(round === 0 ? 0 : 10 * (round - 1) + 3)));
    }
  });

  test('has one connection to each node, even for reads of all shards: another one would have a snapshot of its own', async () => {
    expect(await countConnections({})).toEqual({ most: 1, open: 1 });
    // With this setting Citus opens one for each shard, whatever the limit is. A higher limit alone may open none: the first is quick.
    const { open } = await countConnections({ 'citus.force_max_query_parallelization': 'on' });
    expect(open).toBeGreaterThan(1);
  });

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

/** Limits with which a wait for a lock ends by that of work, and by no other. */
const LONG_WAITS = { lockMs: 60_000, workLockMs: 300, statementMs: 3_000 };
/** What a call is rejected with that has waited for a lock as long as work may. */
const OF_LOCK = { cause: { code: '55P03' } };

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

describe('a claim on Citus', () => {
  test('waits for a lock on a node no longer than its transaction says, although settings of sessions do not reach nodes', async () => {
    const [node] = cluster.nodes;
    const tenant = node.newTenant();
    await using store = await cluster.open(LONG_WAITS);
    await importAll(store, tenant, people({ 'i-1': [] }));
    await store.reports.enqueue(newScan('scan', { tenant }), MANY);
    await node.query('begin');
    await node.query('select 1 from sod_report where tenant = $1 for update', [tenant]);
    expect(await store.reports.claim({ nowMs: Date.parse(NOW), leaseMs: 30_000 })).toBe(null);
    expect(await endOfWait(tenant, 'local')).toBe('55P03');
    // Without the setting of the store's sessions, the limit holds on the coordinator alone.
    expect(await endOfWait(tenant, 'none')).toBe('57014');
    await node.query('rollback');
    const claim = () => store.reports.claim({ nowMs: Date.parse(NOW), leaseMs: 30_000 });
    await expect.poll(claim, { timeout: 20_000 }).toMatchObject({ tenant });
  });
});

describe('a commit on Citus', () => {
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

/** How long a request may wait for a node. */
const ANSWERED_MS = 5_000;

async function isRefused(call: () => unknown): Promise<boolean> {
  const [outcome] = await Promise.allSettled([call()]);
  return outcome.status === 'rejected' && outcome.reason instanceof StorageUnavailable;
}

const createClient = (store: Store, tenant: string, identityId: string | null = null) =>
  store.clients.create(actIn(tenant), {
    tenant,
    id: `c-${tenant}`,
    name: 'c',
    scopes: [],
    identityId,
    created: NOW,
    secretHash: 'x',
  });

const INTEGER_MAX = 2 ** 31 - 1;

const succeed = ({ tenant, requestId, fence, created }: ClaimedCheck): CheckCompletion => ({
  tenant,
  requestId,
  fence,
  created,
  completed: NOW,
  state: 'SUCCESS',
  result: '{}',
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

describe('work on Citus', () => {
  test('waits no longer for one tenant than work may, and goes on in others', async () => {
    const [{ newTenant, query }, other] = cluster.nodes;
    const tenant = newTenant();
    const neighbour = other.newTenant();
    await using store = await cluster.open(LONG_WAITS);
    for (const each of [tenant, neighbour]) {
      await importAll(store, each, people({ 'i-1': [] }));
      await store.reports.enqueue(newScan('scan', { tenant: each }), MANY);
      await store.checks.enqueue({ ...newCheck('r-1'), tenant: each }, MANY);
    }
    const claiming = { nowMs: Date.parse(NOW), leaseMs: 30_000 };
    const checks = await store.checks.claim({ ...claiming, limit: MANY });
    const reports = [await store.reports.claim(claiming), await store.reports.claim(claiming)];
    const report = reports.find((each) => each?.tenant === tenant);
    const progress = { progress: 0, basis: null, leaseEndMs: claiming.nowMs + 35_000 };
    const renewReport = () => report && store.reports.renew(report, progress);
    const check = checks.filter((each) => each.tenant === tenant);
    const endMove = await lockShardOf(tenant);
    await expect(renewReport()).rejects.toMatchObject(OF_LOCK);
    await expect(store.checks.renew(check, progress.leaseEndMs)).rejects.toMatchObject(OF_LOCK);
    await endMove();
    expect(await renewReport()).toBe(true);
    expect(await store.checks.renew(check, progress.leaseEndMs)).toEqual(check);
    await query('begin');
    await query(`select 1 from tenant_change where tenant = $1 and line = 'reports' for update`, [tenant]);
    await expect(renewReport()).rejects.toMatchObject(OF_LOCK);
    await query('rollback');
  });

  test('leaves the results of checks of a tenant whose first event another transaction tells', async () => {
    const [{ newTenant, query }, other] = cluster.nodes;
    const tenant = newTenant();
    const neighbour = other.newTenant();
    await using store = await cluster.open(LONG_WAITS);
    for (const each of [tenant, neighbour]) await store.checks.enqueue({ ...newCheck('r-1'), tenant: each }, MANY);
    const claiming = { nowMs: Date.parse(NOW), leaseMs: 30_000, limit: MANY };
    const claimed = (await store.checks.claim(claiming)).filter((each) => [tenant, neighbour].includes(each.tenant));
    await query('begin');
    await query('insert into event_head (tenant, sequence, removed_to) values ($1, 1, 0)', [tenant]);
    const complete = () => store.checks.complete(claimed.map(succeed));
    await expect(complete()).rejects.toMatchObject(OF_LOCK);
    await query('rollback');
    expect(await complete()).toBe(1);
  });

  test('claims checks although those of one tenant cannot be claimed', async () => {
    const [{ newTenant }, { newTenant: newTenantBeside, query }] = cluster.nodes;
    const tenant = newTenant();
    const failing = newTenantBeside();
    await using store = await cluster.open(LONG_WAITS);
    for (const each of [tenant, failing]) {
      await importAll(store, each, people({ 'i-1': [] }));
      await store.checks.enqueue({ ...newCheck('r-1'), tenant: each }, MANY);
    }
    const setFence = (fence: number) => query('update sod_check set fence = $2 where tenant = $1', [failing, fence]);
    // A claim makes it greater than an integer can be.
    await setFence(INTEGER_MAX);
    const claim = async () => {
      const claimed = await store.checks
        .claim({ nowMs: Date.parse(NOW), leaseMs: 30_000, limit: MANY })
        .catch(() => []);
      return claimed.map((check) => check.tenant).filter((each) => [tenant, failing].includes(each));
    };
    expect(await claim()).toEqual([tenant]);
    await setFence(0);
    await expect.poll(claim, { timeout: 20_000 }).toEqual([failing]);
  });

  test('claims checks although the node of others goes away during the claim', async () => {
    const [{ newTenant }, { newTenant: newTenantBeside, proxy }] = cluster.nodes;
    const tenant = newTenant();
    const failing = newTenantBeside();
    await using store = await cluster.open({ unknownOutcomeMs: 60_000 });
    for (const each of [tenant, failing]) await store.checks.enqueue({ ...newCheck('r-1'), tenant: each }, MANY);
    const down = Promise.withResolvers<void>();
    proxy.cutAt('SKIP LOCKED', 'after', () => down.resolve(proxy.refuse(true)));
    const startMs = performance.now();
    const claimed = await store.checks.claim({ nowMs: Date.parse(NOW), leaseMs: 30_000, limit: MANY });
    const ms = performance.now() - startMs;
    await down.promise;
    await proxy.refuse(false);
    expect(ms).toBeLessThan(ANSWERED_MS);
    expect(claimed.map((check) => check.tenant)).toContain(tenant);
  });

  test('rejects results of which those of one tenant fail, once those of others are stored', async () => {
    const [{ proxy, newTenant }, other] = cluster.nodes;
    const tenant = newTenant();
    const failing = other.newTenant();
    await using store = await cluster.open({ ...LONG_WAITS, workLockMs: 60_000, statementMs: 60_000 });
    for (const each of [tenant, failing]) await store.checks.enqueue({ ...newCheck('r-1'), tenant: each }, MANY);
    const claiming = { nowMs: Date.parse(NOW), leaseMs: 30_000, limit: MANY };
    const claimed = (await store.checks.claim(claiming)).filter((each) => [tenant, failing].includes(each.tenant));
    await other.query('begin');
    await other.query(
      `insert into event (tenant, sequence, id, type, resource_id, time) values ($1, 1, 'e', 't', 'r', '')`,
      [failing],
    );
    const commit = proxy.holdAt('COMMIT\0');
    const failures: unknown[] = [];
    const completing = store.checks.complete(claimed.map(succeed)).catch((error: unknown) => failures.push(error));
    await commit.isHeld;
    await waitUntil(() => isWaiting(other));
    await other.query('commit');
    // The other transaction has failed by then.
    await store.checks.enqueue({ ...newCheck('r-2'), tenant: failing }, MANY);
    expect(failures).toEqual([]);
    commit.release();
    await completing;
    expect(failures).toMatchObject([{ code: '23505' }]);
    expect((await store.checks.find(tenant, 'r-1'))?.state).toBe('SUCCESS');
  });

  test('removes other tenants while one that is to be removed is locked', async () => {
    const [{ newTenant, query }, other] = cluster.nodes;
    const tenant = newTenant();
    const neighbour = other.newTenant();
    await using store = await cluster.open(LONG_WAITS);
    for (const each of [tenant, neighbour]) {
      await importAll(store, each, people({ 'i-1': [] }));
      await store.tenantRemovals.begin(actIn('asking'), each, async () => 'signed');
    }
    const claim = async () => {
      const claimed = await store.tenantRemovals.claim({ nowMs: Date.now(), leaseMs: 30_000, limit: 1 });
      return claimed.map((each) => each.tenant);
    };
    await query('begin');
    await query('select 1 from tenant_removal where tenant = $1 for update', [tenant]);
    await expect.poll(claim).toEqual([neighbour]);
    await query('rollback');
    await expect.poll(claim, { timeout: 20_000 }).toEqual([tenant]);
  });
});

describe('a shard that is being moved', () => {
  test('makes writes of its tenants fail, of which nothing is stored, and holds up no checks and reports of others', async () => {
    const tenant = cluster.nodes[0].newTenant();
    const neighbour = cluster.nodes[1].newTenant();
    await using store = await cluster.open({ lockMs: 300 });
    for (const each of [tenant, neighbour]) {
      await append(store, each, 'a');
      await store.checks.enqueue({ ...newCheck('r-1'), tenant: each }, MANY);
      await store.checks.enqueue({ ...newCheck('r-2'), tenant: each }, MANY);
      await store.reports.enqueue(newScan('scan', { tenant: each }), MANY);
    }
    const claim = (limit: number) => store.checks.claim({ nowMs: Date.parse(NOW), leaseMs: 30_000, limit });
    const before = await claim(2);
    expect(before.map(nameOf)).toEqual(expect.arrayContaining([`${tenant} r-1`, `${neighbour} r-1`]));
    const endMove = await lockShardOf(tenant);
    await expect(append(store, tenant, 'x')).rejects.toThrow(StorageUnavailable);
    // Both claims and completions are of both tenants.
    expect((await claim(10)).map(nameOf)).toEqual([`${neighbour} r-2`]);
    await expect(store.checks.complete(before.map(succeed))).rejects.toThrow(StorageUnavailable);
    expect((await store.checks.find(neighbour, 'r-1'))?.state).toBe('SUCCESS');
    expect(await store.reports.claim({ nowMs: Date.parse(NOW), leaseMs: 30_000 })).toMatchObject({ tenant: neighbour });
    expect(await store.reports.claim({ nowMs: Date.parse(NOW), leaseMs: 30_000 })).toBe(null);
    await endMove();
    await store.checks.release(
      before.filter((each) => each.tenant === tenant),
      { availableAtMs: 0, isAttempt: false },
    );
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

describe('a node of Citus that', () => {
  const faults = {
    'is down': (node: ProxiedNode, isAway: boolean) => node.proxy.refuse(isAway),
    hangs: async (node: ProxiedNode, isAway: boolean) => node.proxy.hang(isAway),
  };
  test.each(['is down', 'hangs'] as const)(
    '%s makes calls of its tenants fail within five seconds, those of others go on, and all goes on when it is back',
    async (name) => {
      const [node, other] = cluster.nodes;
      const tenant = node.newTenant();
      const neighbour = other.newTenant();
      await using store = await cluster.open();
      await using another = await cluster.open();
      for (const each of [tenant, neighbour]) {
        await append(store, each, 'a');
        await createClient(store, each);
      }
      await waitUntil(() => isRemembered(store, tenant));
      const setAway = faults[name];
      await setAway(node, true);
      const startMs = performance.now();
      await Promise.all([
        expect(append(store, tenant, 'x')).rejects.toThrow(StorageUnavailable),
        expect(store.authUsers.find(tenant, 'i-1')).rejects.toThrow(StorageUnavailable),
        append(another, neighbour, 'b'),
      ]);
      expect(performance.now() - startMs).toBeLessThan(ANSWERED_MS);
      // What is in memory is not used for longer than on one server, and nothing else is.
      await vi.waitUntil(() => isRefused(() => store.clients.findCaller(tenant, `c-${tenant}`)), { timeout: 20_000 });
      expect(await labelOf(store, neighbour)).toBe('ab');
      expect(await store.clients.findCaller(neighbour, `c-${neighbour}`)).not.toBeNull();
      expect(await store.checks.enqueue({ ...newCheck('r-1'), tenant: neighbour }, MANY)).toBe('stored');
      await store.ping();
      await setAway(node, false);
      await vi.waitFor(() => append(store, tenant, 'b'), { interval: 20, timeout: 20_000 });
      expect(await labelOf(store, tenant)).toBe('ab');
      for (const each of [tenant, neighbour]) await waitUntil(() => isRemembered(store, each));
    },
  );
});
