import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { LineVersion } from './known-versions.ts';
import type { PostgresLimits } from './limits.ts';
import type { PostgresConnections, Sessions } from './pool.ts';

const CONNECT_MS = 500;
const STATEMENT_MS = 3_000;
const TENANTS_MAX = 100_000;

interface NodePollDeps {
  readonly connections: PostgresConnections;
  readonly limits: PostgresLimits;
  now(): number;
  /** Receives the versions that have changed. */
  learn(found: readonly LineVersion[]): void;
  /** Whether shared data have changed, after which versions that were told may be told again. */
  hasSharedChanged(client: pg.Client): Promise<boolean>;
  /** The connections that all tenants share. */
  readonly sessions: Sessions;
}

/**
 * Polls the nodes that answer while others of a distributed database do not. A read of all shards fails then, and with it the poll
 * of all tenants.
 */
export interface NodePolls {
  /** A poll of all nodes has failed on this connection to the coordinator: finds out which of them answer. */
  failed(client: pg.Client): Promise<void>;
  /** All nodes have answered. */
  succeeded(): void;
  /** Whether everything committed of the tenant until a moment ago is known, though nodes of others are silent. */
  isFresh(tenant: string): boolean;
  /** Whether no call should wait for the node of the tenant. */
  isAway(tenant: string): boolean;
  /** The pieces of each table that are on nodes that do not answer. */
  countUnreachableShards(): number;
  close(): Promise<void>;
}

/** A piece of the table of versions, and the node that has it. */
interface Shard {
  readonly id: string;
  readonly table: string;
  readonly host: string;
  readonly port: number;
}

/** What a node has told last, to be compared with what it tells next. */
interface Told {
  readonly shards: string;
  readonly sums: ReadonlyMap<number, string>;
}

export function createNodePolls({
  connections,
  limits,
  now,
  learn,
  hasSharedChanged,
  sessions,
}: NodePollDeps): NodePolls {
  let shardsOf: ReadonlyMap<string, readonly Shard[]> = new Map();
  let nodeOfShard: ReadonlyMap<string, string> = new Map();
  const shardOfTenant = new Map<string, string>();
  const unknownTenants = new Set<string>();
  /** Since when each silent node has not answered. */
  const silentSinceMs = new Map<string, number>();
  /** The nodes that the last poll was answered by. */
  let answered: ReadonlySet<string> = new Set();
  const told = new Map<string, Told>();
  let freshUntilMs = Number.NEGATIVE_INFINITY;
  let polling: Promise<void> | null = null;
  const ending = new AbortController();

  const place = (shards: readonly Shard[]) => {
    shardsOf = Map.groupBy(shards, nameOf);
    const found = new Map(shards.map((shard) => [shard.id, nameOf(shard)]));
    // A shard that was split has others in its place.
    if ([...nodeOfShard.keys()].some((id) => !found.has(id))) shardOfTenant.clear();
    nodeOfShard = found;
  };
  const nodeOf = (tenant: string): string | null => {
    const shard = shardOfTenant.get(tenant);
    if (shard === undefined) unknownTenants.add(tenant);
    return shard === undefined ? null : (nodeOfShard.get(shard) ?? null);
  };
  const findShards = async (client: pg.Client) => {
    if (shardOfTenant.size > TENANTS_MAX) shardOfTenant.clear();
    const tenants = [...unknownTenants];
    unknownTenants.clear();
    for (const { tenant, id } of await queryShardsOf(client, tenants)) shardOfTenant.set(tenant, id);
  };

  /** Reads what has changed since the last poll on the nodes that answer. */
  const poll = async (client: pg.Client): Promise<void> => {
    const startedMs = now();
    place(await queryShards(client));
    await findShards(client);
    if (await hasSharedChanged(client)) told.clear();
    const sums = await queryNodes<readonly SumRow[]>(
      client,
      [...shardsOf].flatMap(([name, shards]) => (silentSinceMs.has(name) ? [] : [{ name, command: sumsOf(shards) }])),
    );
    const found = new Map<string, Told>();
    const changes: NodeCommand[] = [];
    for (const [name, rows] of sums) {
      const shards = shardsOf.get(name) ?? [];
      const now = { shards: shards.map(({ id }) => id).join(), sums: new Map(rows.map(textOfSum)) };
      const before = told.get(name)?.shards === now.shards ? told.get(name)?.sums : undefined;
      const buckets = [...now.sums].filter(([bucket, sum]) => before?.get(bucket) !== sum).map(([bucket]) => bucket);
      found.set(name, now);
      if (buckets.length > 0) changes.push({ name, command: versionsOf(shards, buckets) });
    }
    const versions = await queryNodes<readonly VersionRow[]>(client, changes);
    for (const { name } of changes) if (!versions.has(name)) found.delete(name);
    for (const [name, now] of found) told.set(name, now);
    learn([...versions.values()].flat().map(([tenant, line, version]) => ({ tenant, line, version })));
    answered = new Set(found.keys());
    freshUntilMs = startedMs + limits.freshMs;
  };
  const pollWhileSilent = async () => {
    const { client, connect, cut } = connections.openClient();
    try {
      await connect();
      await client.query(nodeTimeoutsOf(STATEMENT_MS));
      while (silentSinceMs.size > 0 && !ending.signal.aborted) {
        await poll(client);
        await delay(limits.pollEveryMs, undefined, { signal: ending.signal });
      }
    } finally {
      cut();
    }
  };

  return {
    failed: async (client) => {
      place(await queryShards(client));
      const answers = await queryNodes(
        client,
        [...shardsOf.keys()].map((name) => ({ name, command: IS_THERE })),
      );
      for (const name of [...silentSinceMs.keys()])
        if (!shardsOf.has(name) || answers.has(name)) silentSinceMs.delete(name);
      for (const name of shardsOf.keys())
        if (!answers.has(name) && !silentSinceMs.has(name)) silentSinceMs.set(name, now());
      if ([...silentSinceMs.values()].some((sinceMs) => now() - sinceMs >= limits.nodeAwayMs))
        sessions.cut(await queryHanging(client, sessions.processIds));
      if (silentSinceMs.size > 0)
        polling ??= pollWhileSilent()
          .catch(() => {})
          .finally(() => {
            polling = null;
          });
    },
    succeeded: () => {
      silentSinceMs.clear();
      told.clear();
    },
    isFresh: (tenant) => {
      if (now() >= freshUntilMs) return false;
      const node = nodeOf(tenant);
      return node !== null && answered.has(node);
    },
    isAway: (tenant) => {
      if (silentSinceMs.size === 0) return false;
      const sinceMs = silentSinceMs.get(nodeOf(tenant) ?? '');
      return sinceMs !== undefined && now() - sinceMs >= limits.nodeAwayMs;
    },
    countUnreachableShards: () => [...nodeOfShard.values()].filter((name) => silentSinceMs.has(name)).length,
    close: async () => {
      ending.abort();
      await polling;
    },
  };
}

/** Sets the limits of time of statements of polls, and of a node to take a connection. */
export const nodeTimeoutsOf = (statementMs: number): string =>
  `set statement_timeout = ${statementMs}; set citus.node_connection_timeout = ${CONNECT_MS}`;

const nameOf = ({ host, port }: Pick<Shard, 'host' | 'port'>): string => `${host}:${port}`;

const SHARDS = `
  select shardid::text as id, shard_name(logicalrelid, shardid) as "table", nodename as host, nodeport as port
  from pg_dist_shard join pg_dist_placement using (shardid) join pg_dist_node using (groupid)
  where logicalrelid = 'tenant_change'::regclass and noderole = 'primary' order by shardid`;

const queryShards = async (client: pg.Client): Promise<readonly Shard[]> =>
  (await client.query<Shard>({ name: 'shards', text: SHARDS })).rows;

const SHARDS_OF = `
  select tenant, get_shard_id_for_distribution_column('tenant_change', tenant)::text as id
  from unnest($1::text[]) as tenant`;

const queryShardsOf = async (client: pg.Client, tenants: readonly string[]) =>
  tenants.length === 0
    ? []
    : (
        await client.query<{ tenant: string; id: string }>({
          name: 'shards of tenants',
          text: SHARDS_OF,
          values: [tenants],
        })
      ).rows;

// A statement that waits for a silent node would keep a connection from other tenants for its whole time. None of the others takes long.
const HANGING = `
  select pid from pg_stat_activity
  where pid = any($1::integer[]) and state = 'active' and query_start < clock_timestamp() - interval '2 seconds'`;

const queryHanging = async (client: pg.Client, processIds: readonly number[]): Promise<readonly number[]> =>
  (await client.query<{ pid: number }>({ name: 'hanging', text: HANGING, values: [processIds] })).rows.map(
    ({ pid }) => pid,
  );

interface NodeCommand {
  readonly name: string;
  readonly command: string;
}

/** Runs a command that yields one JSON text on each of these nodes. Nodes that do not answer have no entry. */
async function queryNodes<T>(client: pg.Client, commands: readonly NodeCommand[]): Promise<ReadonlyMap<string, T>> {
  if (commands.length === 0) return new Map();
  const places = commands.map(({ name }) => ({ host: name.replace(/:\d+$/, ''), port: Number(/\d+$/.exec(name)) }));
  const { rows } = await client.query<{ name: string; success: boolean; result: string }>({
    name: 'nodes',
    text: `select node_name || ':' || node_port as name, success, result
      from master_run_on_worker($1::text[], $2::integer[], $3::text[], true)`,
    values: [places.map(({ host }) => host), places.map(({ port }) => port), commands.map(({ command }) => command)],
  });
  return new Map(
    rows.filter(({ success }) => success).map(({ name, result }): [string, T] => [name, JSON.parse(result)]),
  );
}

const IS_THERE = 'select 1';

type SumRow = readonly [bucket: number, sum: number, lines: number];
type VersionRow = readonly [tenant: string, line: string, version: number];

const textOfSum = ([bucket, sum, lines]: SumRow): readonly [number, string] => [bucket, `${sum} ${lines}`];

// Rows of version 0 are of lines that no cached read depends on.
const rowsOf = (shards: readonly Shard[]): string =>
  shards.map(({ table }) => `select tenant, line, bucket, version from ${table} where version > 0`).join(' union all ');

const sumsOf = (shards: readonly Shard[]): string => `
  select coalesce(json_agg(json_build_array(bucket, sum, lines)), '[]') from (
    select bucket, sum(version) as sum, count(*) as lines from (${rowsOf(shards)}) rows group by bucket
  ) sums`;

const versionsOf = (shards: readonly Shard[], buckets: readonly number[]): string => `
  select coalesce(json_agg(json_build_array(tenant, line, version)), '[]') from (${rowsOf(shards)}) rows
  where bucket in (${buckets.join(', ')})`;
