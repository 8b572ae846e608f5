import { execFile } from 'node:child_process';
import { readFileSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@access-admin/harness';
import { drawOne, type Random } from '../campaign/random.ts';
import { waitUntil } from '../campaign/wait-until.ts';
import { openPostgres, type Sql } from './open-database.ts';

/** The nodes of a Citus cluster that have the rows of tenants. */
export interface Nodes {
  /** Ends all sessions on one of the nodes. */
  terminateSessions(random: Random): Promise<void>;
  /** A tenant with all its rows on the node that the tenant of this name is not on. */
  findNeighbour(tenant: string): Promise<string>;
  /** Stops the node of a tenant; resolves with a way to start it again. */
  stopNodeOf(tenant: string): Promise<{ start(): Promise<void> }>;
  /** Starts a server beside the nodes that has nothing yet; disposing of it stops and removes it. */
  startNode(): Promise<NewNode>;
  /** The transactions of this database that were prepared on the nodes since they were opened. */
  countPrepared(): Promise<number>;
}

/** A server that joins the cluster and leaves it again, while the others serve. */
export interface NewNode extends AsyncDisposable {
  /** Adds it to the cluster, and has Citus move shards to it as it sees fit, and that of a tenant in any case. */
  join(tenant: string): Promise<void>;
  /** Has Citus move all of its shards away, and removes it from the cluster. */
  leave(): Promise<void>;
}

const OTHERS = "backend_type = 'client backend' and datname = current_database() and pid <> pg_backend_pid()";
const CHUNK_BYTES = 16_000_000;
const REMOVED_MS_MAX = 120_000;

/** The nodes log every statement on the database from now on. */
export async function openNodes(coordinatorUrl: string): Promise<Nodes> {
  await using coordinator = await openPostgres(coordinatorUrl);
  const rows = await coordinator.run('select nodename, nodeport from pg_dist_node where groupid <> 0 order by nodeid');
  const nodes = await Promise.all(
    rows.map(async ({ nodename, nodeport }) => {
      const url = new URL(coordinatorUrl);
      [url.hostname, url.port] = [String(nodename), String(nodeport)];
      await using sql = await openPostgres(url.href);
      // Of this node alone.
      await sql.run('set citus.enable_ddl_propagation = off');
      await sql.run(`alter database ${url.pathname.slice(1)} set log_statement = 'all'`);
      return { port: Number(nodeport), url: url.href, log: await openLog(sql) };
    }),
  );
  const runAt = async (url: string, statement: string) => {
    await using sql = await openPostgres(url);
    return await sql.run(statement);
  };
  const run = (statement: string) => runAt(coordinatorUrl, statement);
  // Else Citus removes what was moved away later, by transactions on several nodes, and never when its node has left: then the shard
  // cannot be moved any more. What statements use is not removed at the first try.
  const removeMoved = async () => {
    const isRemoved = async () => {
      await run('call citus_cleanup_orphaned_resources()');
      return (await run('select from pg_dist_cleanup')).length === 0;
    };
    if (!(await waitUntil(isRemoved, { msMax: REMOVED_MS_MAX, everyMs: 250 })))
      throw new Error('what was moved away is not removed');
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
    startNode: async () => {
      const [example] = nodes;
      if (example === undefined) throw new Error('the cluster has no node');
      await using stack = new AsyncDisposableStack();
      const { url } = stack.use(await startServerLike(example.url));
      const { pathname, port } = new URL(url);
      await runAt(
        Object.assign(new URL(url), { pathname: '/postgres' }).href,
        `create database ${pathname.slice(1)} template template0 encoding 'UTF8'`,
      );
      await runAt(url, 'create extension citus');
      const address = `'127.0.0.1', ${port}`;
      const owned = stack.move();
      return {
        join: async (tenant) => {
          await run(`select citus_add_node(${address})`);
          await run('select citus_rebalance_start()');
          await run('select citus_rebalance_wait()');
          const place = await placeOf(tenant);
          if (place.port !== Number(port))
            await run(`select citus_move_shard_placement(${place.shard}, '127.0.0.1', ${place.port}, ${address})`);
          await removeMoved();
        },
        leave: async () => {
          await run(`select citus_drain_node(${address})`);
          await removeMoved();
          await run(`select citus_remove_node(${address})`);
        },
        [Symbol.asyncDispose]: () => owned.disposeAsync(),
      };
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

/** Stops a server of this machine at once; it is started again as it was. */
async function stopServer(sql: Sql): Promise<{ start(): Promise<void> }> {
  const { data, log, run } = await programsOf(sql);
  await run('pg_ctl', ['-D', data, '-w', '-m', 'immediate', 'stop']);
  return { start: () => run('pg_ctl', ['-D', data, '-w', '-l', log, 'start']) };
}

/** Starts an empty server beside one of this machine and with its configuration. The address names the database that it has there. */
async function startServerLike(url: string): Promise<AsyncDisposable & { readonly url: string }> {
  await using sql = await openPostgres(url);
  // A move would else hold up the writes of its tenants from its beginning.
  if ((await sql.texts('show wal_level'))[0] !== 'logical') throw new Error('the nodes need wal_level = logical');
  const programs = await programsOf(sql);
  const own = new URL(url);
  own.port = String(await freePort());
  const data = join(dirname(programs.data), `node-${own.port}`);
  const log = `${data}.log`;
  await using stack = new AsyncDisposableStack();
  stack.defer(() => {
    for (const path of [data, log]) rmSync(path, { recursive: true, force: true });
  });
  await programs.run('initdb', ['-D', data, '-E', 'UTF8', '--locale=C', '-A', 'trust', '-U', own.username]);
  const configuration = readFileSync(join(programs.data, 'postgresql.conf'), 'utf8');
  writeFileSync(join(data, 'postgresql.conf'), `${configuration}\nport = ${own.port}\n`);
  await programs.run('pg_ctl', ['-D', data, '-w', '-l', log, 'start']);
  stack.defer(() => programs.run('pg_ctl', ['-D', data, '-w', '-m', 'fast', 'stop']));
  const owned = stack.move();
  return { url: own.href, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** Where a server of this machine has its files, and a way to run its programs as its own user. */
async function programsOf(sql: Sql) {
  const [data = ''] = await sql.texts('show data_directory');
  const pid = await readPid(sql);
  const folder = dirname(readlinkSync(`/proc/${pid}/exe`));
  const { uid, gid } = statSync(data);
  return {
    data,
    log: readlinkSync(`/proc/${pid}/fd/2`),
    run: async (program: 'initdb' | 'pg_ctl', args: readonly string[]) => {
      await promisify(execFile)(join(folder, program), args, { env: {}, cwd: data, uid, gid });
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
