import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { ROOT } from '../machine/root.ts';
import { startNode } from '../processes/start-app.ts';
import { endOfLog, LOG_SETTINGS } from './coordinator-log.ts';
import { type TestDatabase, urlOf, withClient } from './create-database.ts';

/**
 * Creates a database on a Citus cluster, over whose nodes the tenants are distributed. It is a copy of a template, which is made
 * once for each `run` of tests. The given URL is that of a database of the coordinator that knows the nodes.
 */
export async function createOnCitus(coordinatorUrl: string, run: string): Promise<TestDatabase> {
  const template = templateOf(run);
  const nodes = await nodesOf(coordinatorUrl);
  await withClient(coordinatorUrl, async (client) => {
    // One process creates the template; others wait for the lock, which ends with the connection.
    await client.query('select pg_advisory_lock(1)');
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [template]);
    if (rowCount === 0) await createTemplate(nodes, template);
  });
  const name = newName();
  await onEach(nodes, async (client) => {
    await client.query(`create database ${name} template ${template}`);
    // Settings of a role in a database are not copied with it.
    const { rows } = await client.query<{ statement: string }>(
      `select format('alter role %I in database %I set %s = %L', setrole::regrole, $1::text,
          split_part(setting, '=', 1), split_part(setting, '=', 2)) as statement
        from pg_db_role_setting, unnest(setconfig) as setting
        where setdatabase = (select oid from pg_database where datname = $2)`,
      [name, template],
    );
    for (const { statement } of rows) await client.query(statement);
  });
  if ((await endOfLog(coordinatorUrl)) !== null)
    await onEach(nodes.slice(0, 1), async (client) => {
      for (const [setting, value] of Object.entries(LOG_SETTINGS))
        await client.query(`alter database ${name} set ${setting} = '${value}'`);
    });
  return databaseOn(nodes, name);
}

/** Creates a database on each node of a cluster that has the extension and knows the nodes, but no tables. */
export async function createEmptyOnCitus(coordinatorUrl: string): Promise<TestDatabase> {
  const nodes = await nodesOf(coordinatorUrl);
  const name = newName();
  await createEmpty(nodes, name);
  return databaseOn(nodes, name);
}

/** Removes the template of a run, where it has one. */
export async function removeTemplateOnCitus(coordinatorUrl: string, run: string): Promise<void> {
  const nodes = await nodesOf(coordinatorUrl);
  await onEach(nodes, (client) => client.query(`drop database if exists ${templateOf(run)}`));
}

const templateOf = (run: string) => `template_${createHash('sha256').update(run).digest('hex').slice(0, 32)}`;

/** Few, so that a database is copied fast. */
const SHARDS = 4;

/** Leaves no template behind that is not whole. */
async function createTemplate(nodes: Nodes, template: string): Promise<void> {
  const unfinished = newName();
  await createEmpty(nodes, unfinished);
  const [coordinator, ...workers] = nodes;
  await distributeByCommand(urlOf(coordinator.href, unfinished), SHARDS);
  const finish = async (client: Client) => {
    // The processes of Citus come back to a database that lets them in.
    await client.query(`alter database ${unfinished} allow_connections false`);
    await client.query('select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = $1', [
      unfinished,
    ]);
    await client.query(`alter database ${unfinished} rename to ${template}`);
  };
  // It is known by that of the coordinator.
  await onEach(workers, finish);
  await onEach([coordinator], finish);
}

/** Distributes a database by the command, from its sources: into so many shards, or as many as it takes by itself. */
export async function distributeByCommand(url: string, shards?: number): Promise<void> {
  const given = shards === undefined ? [] : ['--shards', String(shards)];
  const command = startNode(join(ROOT, 'apps/server/src/main.ts'), ['distribute', ...given], {
    env: { DATABASE_URL: url },
    cwd: ROOT,
  });
  const { code } = await command.ended;
  if (code !== 0) throw new Error(command.output());
}

/** The coordinator first. */
type Nodes = readonly [URL, ...URL[]];

async function createEmpty(nodes: Nodes, name: string): Promise<void> {
  const [coordinator, ...workers] = nodes;
  await onEach(nodes, (client) => client.query(`create database ${name} template template0 encoding 'UTF8'`));
  for (const node of nodes)
    await withClient(urlOf(node.href, name), (client) => client.query('create extension citus'));
  await withClient(urlOf(coordinator.href, name), async (client) => {
    await client.query('select citus_set_coordinator_host($1, $2)', [coordinator.hostname, coordinator.port]);
    for (const { hostname, port } of workers) await client.query('select citus_add_node($1, $2)', [hostname, port]);
  });
}

const databaseOn = (nodes: Nodes, name: string): TestDatabase => ({
  url: urlOf(nodes[0].href, name),
  remove: () =>
    onEach(nodes, async (client) => {
      // The processes of Citus would come back while it is dropped.
      await client.query(`alter database ${name} allow_connections false`);
      await client.query(`drop database ${name} with (force)`);
    }),
});

const newName = () => `test_${randomUUID().replaceAll('-', '')}`;

async function nodesOf(coordinatorUrl: string): Promise<Nodes> {
  const workers = await withClient(coordinatorUrl, async (client) => {
    const { rows } = await client.query<{ nodename: string; nodeport: number }>(
      'select nodename, nodeport from pg_dist_node where groupid <> 0 order by nodeid',
    );
    return rows.map(({ nodename, nodeport }) => {
      const url = new URL(coordinatorUrl);
      [url.hostname, url.port] = [nodename, String(nodeport)];
      return url;
    });
  });
  return [new URL(coordinatorUrl), ...workers];
}

async function onEach(nodes: readonly URL[], work: (client: Client) => Promise<unknown>): Promise<void> {
  await Promise.all(
    nodes.map((node) =>
      withClient(node.href, async (client) => {
        // Citus would otherwise create the database on every node, and not drop it with its sessions.
        await client.query('set citus.enable_create_database_propagation = off');
        await work(client);
      }),
    ),
  );
}

type Client = Parameters<Parameters<typeof withClient>[1]>[0];
