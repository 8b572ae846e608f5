import { createClusterDatabase, createTestDatabase } from '@access-admin/harness';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openPostgresStore } from '../src/assembly/postgres.ts';
import { distributeStore } from '../src/index.ts';
import { distributeWithTenants, keepOnCoordinator } from '../src/schema/definition/placement.ts';
import type { Statements } from '../src/schema/migrations.ts';
import { allOf } from './all-of.ts';
import { exportAll, identity, identityProfile, importAll } from './model-records.ts';
import { newCheck } from './new-check.ts';

/** A database of the cluster, which is removed after the test. */
async function open(state: 'distributed' | 'empty') {
  const { url, remove } = await createClusterDatabase(state);
  onTestFinished(remove);
  const execute = (text: string) => query(url, text);
  /** A statement on the first worker, in its copy of the database. */
  const executeOnWorker = async (text: string) => query(await workerOf(url), text);
  return { url, execute, executeOnWorker };
}

async function query(connectionString: string, text: string): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const results = [await client.query({ text, rowMode: 'array' })].flat();
    return results.flatMap(({ rows }) => rows).flat();
  } finally {
    await client.end();
  }
}

async function workerOf(url: string): Promise<string> {
  const [host, port] = await query(
    url,
    'select nodename, nodeport from pg_dist_node where groupid <> 0 order by nodeid',
  );
  const worker = new URL(url);
  worker.host = `${host}:${port}`;
  return worker.href;
}

const TENANTS = ['acme', 'globex', 'initech'];
const RECORDS = [identityProfile('ip'), identity('i-1'), identity('i-2')];
const CREATED = `create table note (tenant text collate "C" not null, text text not null, primary key (tenant, text))`;

async function fill(url: string): Promise<void> {
  await using store = await openPostgresStore({ url });
  for (const tenant of TENANTS) await importAll(store, tenant, RECORDS);
  await store.checks.enqueue(newCheck('r-1'), 10);
}

async function fillMore(url: string): Promise<void> {
  await using store = await openPostgresStore({ url });
  for (const tenant of TENANTS) await importAll(store, tenant, [identity('i-3')]);
}

async function contentOf(url: string) {
  await using store = await openPostgresStore({ url });
  const ofTenants = TENANTS.map(async (tenant) => ({
    records: await exportAll(store, tenant),
    log: await allOf(store.audit.export(tenant)),
  }));
  return { tenants: await Promise.all(ofTenants), check: await store.checks.find('acme', 'r-1') };
}

describe('a database of one server', () => {
  test('is distributed with all that it has, and leaves nothing on the coordinator, also of the audit log whose guards refuse its removal', async () => {
    const { url, execute } = await open('empty');
    await fill(url);
    const before = await contentOf(url);
    const distributed = await distributeStore(url, { shards: 4 });
    expect(distributed).toMatchObject({ ok: true, value: { nodes: 2, shards: 4 } });
    expect(distributed.ok && distributed.value.tables).toContain('audit_event');
    expect(await contentOf(url)).toEqual(before);
    expect(
      await execute(`select logicalrelid from pg_dist_partition where pg_relation_size(logicalrelid) > 0`),
    ).toEqual([]);
    await expect(execute('delete from audit_event')).rejects.toThrow('append-only');
    await fillMore(url);
    const { tenants: after } = await contentOf(url);
    for (const [at, { log }] of before.tenants.entries()) {
      expect(after[at]?.log.slice(0, log.length)).toEqual(log);
      expect(after[at]?.log[log.length]).toMatchObject({ previousHash: log.at(-1)?.hash });
    }
    expect(await distributeStore(url)).toEqual({ ok: true, value: { nodes: 2, shards: 4, tables: [], rows: 0 } });
  });

  test('stays one when it cannot be distributed as a whole', async () => {
    const { url, execute } = await open('empty');
    await fill(url);
    await execute('create unique index no_tenant on search_entry (id, kind, name, uid, email, parent)');
    await execute(`create unique index no_tenant_either on session (hash)`);
    await expect(distributeStore(url)).rejects.toThrow('cannot create constraint on');
    expect(await execute('select * from pg_dist_partition')).toEqual([]);
    await (await openPostgresStore({ url })).close();
  });

  test.each([
    ['a table of another program', 'create table stranger (id integer)', 'stranger is no table of the service'],
    [
      'no node that takes shards',
      `select citus_set_node_property(nodename, nodeport, 'shouldhaveshards', false) from pg_dist_node where groupid <> 0`,
      'No node takes shards',
    ],
  ])('is refused with %s', async (_, statement, reason) => {
    const { url, execute } = await open('empty');
    await execute(statement);
    expect(await distributeStore(url)).toEqual({ ok: false, failure: expect.stringContaining(reason) });
    expect(await execute('select * from pg_dist_partition')).toEqual([]);
  });

  test('is refused while a process uses it, and a process that the distribution has missed is not ready', async () => {
    const { url, execute } = await open('empty');
    const store = await openPostgresStore({ url });
    const refused = { ok: false, failure: expect.stringContaining('Processes of the service use the database') };
    expect(await distributeStore(url)).toEqual(refused);
    await store.ping();
    await execute(`select create_distributed_table('tenant', 'tenant')`);
    await expect(store.ping()).rejects.toThrow('was distributed while this process ran');
    await store.close();
  });

  test('is refused without Citus', async () => {
    const { url, remove } = await createTestDatabase();
    onTestFinished(remove);
    expect(await distributeStore(url)).toEqual({ ok: false, failure: expect.stringContaining('without Citus') });
    expect(await distributeStore('sqlite:data.db')).toEqual({ ok: false, failure: expect.stringContaining('Only') });
  });

  test('is refused at a worker, as is a start there', async () => {
    const { url } = await open('empty');
    const worker = await workerOf(url);
    expect(await distributeStore(worker)).toEqual({ ok: false, failure: expect.stringContaining('is a worker') });
    await expect(openPostgresStore({ url: worker })).rejects.toThrow('name the coordinator with DATABASE_URL');
    expect(await query(worker, `select to_regclass('tenant')`)).toEqual([null]);
  });
});

describe('a start', () => {
  test.each([
    ['a table of another program', 'create table stranger (id integer)', 'stranger is no table of the service'],
    [
      'a shared table on the nodes',
      `select create_reference_table('signing_key')`,
      'signing_key must lie with the tenants, or on the coordinator',
    ],
    [
      'a table whose rows lie elsewhere than their tenants',
      `select undistribute_table('register_due'); select create_distributed_table('register_due', 'tenant', colocate_with => 'none')`,
      'register_due must lie with the tenants',
    ],
    [
      'a node that gives no answer',
      `alter table pg_dist_node disable trigger user; update pg_dist_node set nodeport = 1 where groupid = 1`,
      '127.0.0.1:1 is away',
    ],
    [
      'a node that is not active',
      'update pg_dist_node set isactive = false where groupid = 1',
      'not in step with the coordinator',
    ],
  ])('is refused with %s', async (_, statement, reason) => {
    const { url, execute } = await open('distributed');
    await execute(statement);
    await expect(openPostgresStore({ url })).rejects.toThrow(reason);
  });

  test.each([
    ['synchronous_commit', 'set synchronous_commit = off', 'would lose acknowledged writes'],
    ['lock_timeout', 'reset lock_timeout', 'has no lock_timeout for this role'],
  ])('is refused with another %s on a node, which is named', async (_, setting, reason) => {
    const { url, executeOnWorker } = await open('distributed');
    const name = new URL(url).pathname.slice(1);
    await executeOnWorker(`
      set citus.enable_alter_role_set_propagation = off;
      alter role current_user in database ${name} ${setting}`);
    const { host } = new URL(await workerOf(url));
    await expect(openPostgresStore({ url })).rejects.toThrow(`${host} ${reason}`);
  });

  test('is refused with a part of the schema distributed, until the command has distributed the rest', async () => {
    const { url, execute } = await open('distributed');
    await fill(url);
    const before = await contentOf(url);
    await execute(`select undistribute_table('webhook_delivery')`);
    await execute(`select undistribute_table('sod_check')`);
    await expect(openPostgresStore({ url })).rejects.toThrow('and sod_check, webhook_delivery is not');
    expect(await distributeStore(url)).toMatchObject({
      ok: true,
      value: { tables: ['sod_check', 'webhook_delivery'] },
    });
    expect(await contentOf(url)).toEqual(before);
  });
});

describe('a migration of a distributed database', () => {
  const NEXT: Statements = {
    '9998-notes': [
      'create table setting (name text primary key)',
      keepOnCoordinator('setting'),
      CREATED,
      distributeWithTenants('note'),
      `insert into note select tenant, 'from the baseline' from tenant`,
      'alter table sod_check add column note text',
      `update sod_check set note = 'before'`,
      'create index sod_check_note on sod_check (tenant, note)',
    ],
  };

  test('makes tables, fills columns and makes indexes, on every node', async () => {
    const { url, execute } = await open('distributed');
    await fill(url);
    const store = await openPostgresStore({ url, furtherMigrations: NEXT });
    expect(store.migrated).toEqual(['9998-notes']);
    await store.checks.enqueue(newCheck('r-2'), 10);
    await store.close();
    expect(await execute('select count(*)::integer, count(distinct tenant)::integer from note')).toEqual([3, 3]);
    expect(await execute('select request_id, note from sod_check order by 1')).toEqual(['r-1', 'before', 'r-2', null]);
    expect(
      await execute(`
      select logicalrelid::text from pg_dist_partition
      where logicalrelid in ('note'::regclass, 'setting'::regclass)
        and colocationid = (select colocationid from pg_dist_partition where logicalrelid = 'tenant'::regclass)`),
    ).toEqual(['note']);
    // An earlier version knows neither table.
    await (await openPostgresStore({ url })).close();
  });

  test('that makes a table without saying where it lies is refused at each start', async () => {
    const { url } = await open('distributed');
    const furtherMigrations = { '9998-notes': [CREATED] };
    await expect(openPostgresStore({ url, furtherMigrations })).rejects.toThrow('and note is not');
    await expect(openPostgresStore({ url, furtherMigrations })).rejects.toThrow('and note is not');
  });
});
