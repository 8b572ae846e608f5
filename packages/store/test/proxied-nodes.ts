import { createClusterDatabase } from '@access-admin/harness';
import pg from 'pg';
import { openPostgresStore } from '../src/assembly/postgres.ts';
import type { PostgresLimits } from '../src/engine/postgres/limits.ts';
import type { Store } from '../src/index.ts';
import { type CutProxy, openCutProxy } from './cut-proxy.ts';

/** A node that the coordinator reaches through a proxy. */
export interface ProxiedNode {
  readonly proxy: CutProxy;
  /** A tenant that has nothing yet, of which the node has all rows. */
  newTenant(): string;
  /** A statement of another program on the node itself, without the proxy. */
  query(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

type Row = Readonly<Record<string, unknown>>;

export interface ProxiedCluster extends AsyncDisposable {
  readonly url: string;
  readonly nodes: readonly [ProxiedNode, ProxiedNode];
  /** A statement of another program, by the coordinator. */
  query(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** A store like that of another process. */
  open(limits?: Partial<PostgresLimits>, url?: string): Promise<Store & AsyncDisposable>;
}

/** A distributed database of a Citus cluster, with a proxy before each of the nodes that have the rows. */
export async function openProxiedCluster(): Promise<ProxiedCluster> {
  await using stack = new AsyncDisposableStack();
  const { url, remove } = await createClusterDatabase();
  stack.defer(remove);
  const connect = async (connectionString: string): Promise<ProxiedCluster['query']> => {
    const client = new pg.Client({ connectionString });
    await client.connect();
    stack.defer(() => client.end());
    return async (text, values = []) => (await client.query(text, [...values])).rows;
  };
  const query = await connect(url);
  const place = async (group: number): Promise<ProxiedNode> => {
    const [node] = await query('select nodeid, nodename, nodeport from pg_dist_node where groupid = $1', [group]);
    const address = new URL(url);
    [address.hostname, address.port] = [String(node?.['nodename']), String(node?.['nodeport'])];
    const proxy = stack.use(await openCutProxy(address.href));
    await query('select citus_update_node($1, $2, $3)', [node?.['nodeid'], '127.0.0.1', new URL(proxy.url).port]);
    const tenants = await query(
      `select tenant from (select 't' || number as tenant from generate_series(1, 200) as number) drawn
        join pg_dist_placement on shardid = get_shard_id_for_distribution_column('tenant', tenant)
        where groupid = $1`,
      [group],
    );
    const newTenant = () => String(tenants.pop()?.['tenant']);
    return { proxy, newTenant, query: await connect(address.href) };
  };
  const groups = await query('select groupid from pg_dist_node where groupid <> 0 order by groupid');
  const [first, second] = groups.map(({ groupid }) => Number(groupid));
  const nodes = [await place(first ?? 0), await place(second ?? 0)] as const;
  const owned = stack.move();
  return {
    url,
    nodes,
    query,
    open: async (limits = {}, of = url) => {
      const store = await openPostgresStore({
        url: of,
        limits: { pollEveryMs: 20, ...limits },
      });
      return Object.assign(store, { [Symbol.asyncDispose]: store.close });
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
