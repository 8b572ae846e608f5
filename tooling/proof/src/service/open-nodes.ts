import { execFile } from 'node:child_process';
import { readlinkSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { drawOne, type Random } from '../campaign/random.ts';
import { openPostgres, type Sql } from './open-database.ts';

/** The nodes of a Citus cluster that have the rows of tenants. */
export interface Nodes {
  /** Ends all sessions on one of the nodes. */
  terminateSessions(random: Random): Promise<void>;
  /** A tenant with all its rows on the node that the tenant of this name is not on. */
  findNeighbour(tenant: string): Promise<string>;
  /** Stops the node of a tenant; resolves with a way to start it again. */
  stopNodeOf(tenant: string): Promise<{ start(): Promise<void> }>;
  /** Moves all rows that are in a shard with those of a tenant to the other node. */
  move(tenant: string): Promise<void>;
  /** The transactions of this database that were prepared on the nodes since they were opened. */
  countPrepared(): Promise<number>;
}

const OTHERS = "backend_type = 'client backend' and datname = current_database() and pid <> pg_backend_pid()";
const CHUNK_BYTES = 16_000_000;

/** The nodes log every statement on the database from now on. */
export async function openNodes(coordinatorUrl: string): Promise<Nodes> {
  await using coordinator = await openPostgres(coordinatorUrl);
  const rows = await coordinator.run('select nodename, nodeport from pg_dist_node where groupid <> 0 order by nodeid');
  const nodes = await Promise.all(
    rows.map(async ({ nodename, nodeport }) => {
      const url = new URL(coordinatorUrl);
      [url.hostname, url.port] = [String(nodename), String(nodeport)];
      await using sql = await openPostgres(url.href);
      await sql.run(`alter database ${url.pathname.slice(1)} set log_statement = 'all'`);
      return { port: Number(nodeport), url: url.href, log: await openLog(sql) };
    }),
  );
  const run = async (statement: string) => {
    await using sql = await openPostgres(coordinatorUrl);
    return await sql.run(statement);
  };
  const placeOf = async (tenant: string) => {
    const [place] = await run(
      `select shardid, nodeport from pg_dist_shard join pg_dist_shard_placement using (shardid)
        where shardid = get_shard_id_for_distribution_column('tenant', '${tenant}')`,
    );
    return { shard: String(place?.['shardid']), port: Number(place?.['nodeport']) };
  };
  return {
    findNeighbour: async (tenant) => {
      const { port } = await placeOf(tenant);
      const [found] = await run(
        `select tenant from (select 'neighbour-' || number as tenant from generate_series(1, 100) as number) drawn
          join pg_dist_shard_placement on shardid = get_shard_id_for_distribution_column('tenant', tenant)
          where nodeport <> ${port} limit 1`,
      );
      return String(found?.['tenant']);
    },
    stopNodeOf: async (tenant) => {
      const { port } = await placeOf(tenant);
      const url = nodes.find((node) => node.port === port)?.url ?? '';
      await using sql = await openPostgres(url);
      return await stopServer(sql);
    },
    move: async (tenant) => {
      const { shard, port } = await placeOf(tenant);
      const other = nodes.find((node) => node.port !== port)?.port;
      await run(
        `select citus_move_shard_placement(${shard}, '127.0.0.1', ${port}, '127.0.0.1', ${other}, 'block_writes')`,
      );
      // Else Citus removes what was moved away later, by transactions on several nodes.
      await run('call citus_cleanup_orphaned_resources()');
    },
    terminateSessions: async (random) => {
      await using sql = await openPostgres(drawOne(random, nodes).url);
      await sql.run(`select pg_terminate_backend(pid) from pg_stat_activity where ${OTHERS}`);
    },
    countPrepared: async () => {
      const counts = await Promise.all(
        nodes.map(async ({ url, log }) => {
          await using sql = await openPostgres(url);
          return await log.countPrepared(sql);
        }),
      );
      return counts.reduce((sum, count) => sum + count, 0);
    },
  };
}

/** Stops a server of this machine at once; it is started again as it was, by its own user. */
async function stopServer(sql: Sql): Promise<{ start(): Promise<void> }> {
  const [data = ''] = await sql.texts('show data_directory');
  const pid = await readPid(sql);
  const command = join(dirname(readlinkSync(`/proc/${pid}/exe`)), 'pg_ctl');
  const log = readlinkSync(`/proc/${pid}/fd/2`);
  const { uid, gid } = statSync(data);
  const control = (...args: readonly string[]) =>
    promisify(execFile)(command, ['-D', data, '-w', ...args], { env: {}, cwd: data, uid, gid });
  await control('-m', 'immediate', 'stop');
  return {
    start: async () => {
      await control('-l', log, 'start');
    },
  };
}

const readPid = async (sql: Sql): Promise<string> =>
  (await sql.texts(`select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)`))[0] ?? '';

/** The log of a server of this machine, from now on. It is where its first process writes errors to. */
async function openLog(sql: Sql) {
  const path = readlinkSync(`/proc/${await readPid(sql)}/fd/2`);
  const sizeOf = async (sql: Sql) => Number((await sql.texts(`select size from pg_stat_file('${path}')`))[0]);
  const start = await sizeOf(sql);
  return {
    countPrepared: async (sql: Sql) => {
      const end = await sizeOf(sql);
      let count = 0;
      for (let from = start; from < end; from += CHUNK_BYTES) {
        // The sentence is put together there, since this statement is logged too.
        const [found] = await sql.texts(
          `select (length(text) - length(replace(text, said, ''))) / length(said)
            from encode(pg_read_binary_file('${path}', ${from}, ${Math.min(CHUNK_BYTES, end - from)}), 'escape') as text,
              concat('statement: ', 'PREPARE TRANSACTION') as said`,
        );
        count += Number(found);
      }
      return count;
    },
  };
}
