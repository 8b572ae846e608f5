import { fail, ok, type Result } from '@access-admin/domain';
import { TABLES } from '../../schema/tables.ts';
import type { Query } from '../run-query.ts';
import { faultsOfNodes, faultsOfStrangers } from './cluster-faults.ts';
import { examineLayout, isOfCoordinator, OF_WORKER } from './examine-layout.ts';
import { findLayout, hasCitus, type Layout } from './layout.ts';
import { readNodes, readTables } from './read-cluster.ts';

interface DistributeDeps {
  /** On one connection to the coordinator, without limits of time. */
  readonly query: Query;
  /** Migrates the schema of a database with this layout. */
  migrate(layout: Layout): Promise<unknown>;
  /** The name of each connection of the service. */
  readonly applicationName: string;
  /** How long a statement waits for a lock on a node, in milliseconds. */
  readonly lockMs: number;
}

/** What a distribution has done, and what it has found. */
export interface Distribution {
  /** How many nodes take shards. */
  readonly nodes: number;
  readonly shards: number;
  /** The tables that it distributed; none where all were. */
  readonly tables: readonly string[];
  /** How many rows it moved from the coordinator to shards. */
  readonly rows: number;
}

const SHARDS_PER_NODE = 4;

/**
 * Distributes the tables of tenants over the nodes of a cluster, in one transaction; migrates the schema first. A failure says why
 * it is refused, and what to do. Where all is distributed, it changes nothing.
 */
export async function distributeTenants(
  { query, migrate, applicationName, lockMs }: DistributeDeps,
  /** How many shards each table gets; four a node that takes shards if left out. */
  shards?: number,
): Promise<Result<Distribution, string>> {
  const refusal = await whyNotDistributed(query, applicationName);
  if (refusal !== null) return fail(refusal);
  await limitLocks(query, lockMs);
  const nodes = await readNodes(query);
  const faults = faultsOfNodes(nodes);
  if (faults.length > 0) return fail(faults.join(' '));
  await migrate(await findLayout(query));
  const strangers = faultsOfStrangers(await readTables(query));
  if (strangers.length > 0) return fail(strangers.join(' '));
  const takers = nodes.filter(({ hasShards }) => hasShards).length;
  await query('begin');
  const { tables, rows } = await distribute(query, shards ?? SHARDS_PER_NODE * takers);
  await query('commit');
  const { faults: remaining, cluster } = await examineLayout(query);
  if (remaining.length > 0) return fail(`The tables are distributed. ${remaining.join(' ')}`);
  return ok({ nodes: takers, shards: cluster?.shards ?? 0, tables, rows });
}

async function whyNotDistributed(query: Query, applicationName: string): Promise<string | null> {
  if (!(await hasCitus(query)))
    return 'The database is of one PostgreSQL server without Citus: `create extension citus` on each node of a cluster, and add the nodes. On one server nothing is to be distributed.';
  if (!(await isOfCoordinator(query))) return OF_WORKER;
  if (await isUsed(query, applicationName))
    return 'Processes of the service use the database: stop them all, then run this again.';
  return null;
}

/** Whether another connection of the service uses the database. */
async function isUsed(query: Query, applicationName: string): Promise<boolean> {
  const found = await query(`
    select from pg_stat_activity
    where datname = current_database() and application_name = '${applicationName}' and pid <> pg_backend_pid()`);
  return found.length > 0;
}

/** Locks on other nodes are waited for there, where settings of a session do not reach; those of the role hold for new sessions. */
const limitLocks = (query: Query, lockMs: number): Promise<unknown> =>
  // Each node sets it for itself: passed on by all of them to all, the same statement would wait for itself.
  query(`
    select run_command_on_all_nodes($command$
      do $$ begin
        perform set_config('citus.enable_alter_role_set_propagation', 'off', true);
        execute format(
          'alter role current_user in database %I set lock_timeout = ${lockMs}', current_database());
      end $$
    $command$)`);

/** Within a transaction. */
async function distribute(
  query: Query,
  shards: number,
): Promise<{ readonly tables: readonly string[]; readonly rows: number }> {
  const found = await readTables(query);
  const plain = found.filter(({ column, isKept }) => column === null && !isKept).map(({ name }) => name);
  const tables = plain.toSorted((one, other) => rankOf(one) - rankOf(other));
  if (tables.length > 0) await query(`lock table ${tables.join(', ')} in access exclusive mode`);
  const rows = await countRows(query, tables);
  await query(`set local citus.shard_count = ${shards}`);
  await query('set local citus.shard_replication_factor = 1');
  // The triggers that keep the audit log append-only work within one shard.
  await query('set local citus.enable_unsafe_triggers = on');
  // A table is made on connections that its foreign keys can use.
  await query(`set local citus.multi_shard_modify_mode = 'sequential'`);
  for (const table of tables) {
    const together = table === FIRST ? '' : `, colocate_with => '${FIRST}'`;
    await query(`select create_distributed_table('${table}', 'tenant'${together})`);
  }
  if ((await countRows(query, tables)) !== rows) throw new Error('The shards have not the rows that there were.');
  await removeRests(query, tables);
  return { tables, rows };
}

async function countRows(query: Query, tables: readonly string[]): Promise<number> {
  let rows = 0;
  for (const table of tables) {
    const [{ count } = { count: 0 }] = await query<{ count: number }>(`select count(*) as count from ${table}`);
    rows += count;
  }
  return rows;
}

/** Removes the rows that a distribution has left on the coordinator. The audit log there is guarded, and is a copy. */
async function removeRests(query: Query, tables: readonly string[]): Promise<void> {
  if (tables.length === 0) return;
  await query('set local citus.enable_ddl_propagation = off');
  for (const table of tables) await query(`alter table ${table} disable trigger user`);
  for (const table of tables) await query(`select truncate_local_data_after_distributing_table('${table}')`);
  for (const table of tables) await query(`alter table ${table} enable trigger user`);
  await query('set local citus.enable_ddl_propagation = on');
}

/** The table whose shards those of others lie beside. */
const FIRST = 'tenant';

const ORDER: readonly string[] = TABLES.map(({ name }) => name);

/** Tables come before those that refer to them. */
const rankOf = (table: string): number => (ORDER.includes(table) ? ORDER.indexOf(table) : ORDER.length);
