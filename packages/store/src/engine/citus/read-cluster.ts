import { KEPT } from '../../schema/definition/placement.ts';
import { TABLES } from '../../schema/tables.ts';
import type { Query } from '../run-query.ts';

/** A table of the schema, as Citus knows it. */
export interface PlacedTable {
  readonly name: string;
  /** The column that it is distributed by; null for a table that is not. */
  readonly column: string | null;
  /** Tables of one group have the rows of a tenant on one node; null for a table that is not distributed. */
  readonly group: number | null;
  readonly isHashed: boolean;
  readonly hasTenant: boolean;
  /** Whether it is to stay on the coordinator. */
  readonly isKept: boolean;
  /** Whether the rows from before the distribution are on the coordinator still, beside those of the shards. */
  readonly hasRest: boolean;
}

/** What a node says of itself; only its address where it gives no answer. */
export interface ClusterNode {
  /** `host:port`, as the coordinator knows it. */
  readonly address: string;
  readonly isCoordinator: boolean;
  readonly hasShards: boolean;
  readonly isActive: boolean;
  readonly state: NodeState | null;
}

export interface NodeState {
  readonly postgres: string;
  readonly citus: string;
  readonly encoding: string;
  readonly fsync: string;
  readonly fullPageWrites: string;
  readonly synchronousCommit: string;
  readonly preparedMax: number;
  /** Milliseconds; 0 for no limit. */
  readonly lockMs: number;
  readonly planCacheMode: string;
  readonly walLevel: string;
  /** The transactions that were prepared and not ended. */
  readonly prepared: readonly string[];
  /** Whether the coordinator speaks to it by TLS, or without leaving the machine. */
  readonly isPrivate: boolean;
}

export interface Cluster {
  readonly tables: readonly PlacedTable[];
  readonly nodes: readonly ClusterNode[];
  /** How many shards the table of tenants has. */
  readonly shards: number;
  /** How many shards have other than one placement. */
  readonly copiedShards: number;
  /** Shards of tables that the audit log consists of, which lack a trigger that keeps it append-only. */
  readonly unguardedShards: readonly string[];
  /** Shards of these tables that have not answered. */
  readonly silentShards: readonly string[];
  /** Whether the process runs that ends transactions of several nodes. */
  readonly hasMaintenance: boolean;
  readonly recovers: boolean;
}

/** How many triggers keep a table of the audit log append-only, by its name. */
const GUARDS: ReadonlyMap<string, number> = new Map(
  TABLES.map(({ name, postgres = [] }) => [name, postgres.filter((each) => each.startsWith('create trigger')).length]),
);

// kysely makes its tables itself.
const TABLES_OF_SCHEMA = `
  select relname as name, column_to_column_name(oid, partkey) as column, colocationid as group,
    coalesce(partmethod = 'h', false) as "isHashed",
    exists (select from pg_attribute where attrelid = oid and attname = 'tenant' and not attisdropped) as "hasTenant",
    coalesce(obj_description(oid, 'pg_class') = '${KEPT}', false)
      or relname in ('kysely_migration', 'kysely_migration_lock') as "isKept",
    partmethod is not null and pg_relation_size(oid) > 0 as "hasRest"
  from pg_class left join pg_dist_partition on logicalrelid = oid
  where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relation_is_a_known_shard(oid)
    and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
  order by relname`;

/** The tables of the schema that the service uses, in a database with Citus. */
export const readTables = (query: Query): Promise<readonly PlacedTable[]> => query(TABLES_OF_SCHEMA);

const STATE = `
  select json_build_object(
    'postgres', current_setting('server_version'),
    'citus', (select extversion from pg_extension where extname = 'citus'),
    'encoding', current_setting('server_encoding'),
    'fsync', current_setting('fsync'),
    'fullPageWrites', current_setting('full_page_writes'),
    'synchronousCommit', current_setting('synchronous_commit'),
    'preparedMax', current_setting('max_prepared_transactions')::integer,
    'lockMs', (select setting::integer from pg_settings where name = 'lock_timeout'),
    'planCacheMode', current_setting('plan_cache_mode'),
    'walLevel', current_setting('wal_level'),
    'prepared', (
      select coalesce(json_agg(gid), '[]') from pg_prepared_xacts where database = current_database()),
    'isPrivate', coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false)
      or coalesce(inet_client_addr() <<= '127.0.0.0/8' or inet_client_addr() = '::1', true))`;

const NODES = `
  select nodename || ':' || nodeport as address, groupid = 0 as "isCoordinator", shouldhaveshards as "hasShards",
    isactive and metadatasynced as "isActive", case when success then result::json end as state
  from pg_dist_node left join run_command_on_all_nodes($$${STATE}$$) as answer using (nodeid)
  where noderole = 'primary' order by groupid`;

/** The nodes that the coordinator knows, with what each of them says. */
export const readNodes = (query: Query): Promise<readonly ClusterNode[]> => query(NODES);

/** Reads what the checks of a cluster need. */
export async function readCluster(query: Query): Promise<Cluster> {
  const tables = await readTables(query);
  const nodes = await readNodes(query);
  const [row = NOTHING] = await query<Omit<Cluster, keyof Listed>>(`
    select (
        select count(*) from pg_dist_shard where logicalrelid = to_regclass('tenant')
      )::integer as shards, (
        select count(*)::integer from (
          select from pg_dist_shard join pg_dist_placement using (shardid)
          where logicalrelid in (
            select oid from pg_class where relnamespace = current_schema()::regnamespace)
          group by shardid having count(*) <> 1
        ) as copied
      ) as "copiedShards",
      exists (
        select from pg_stat_activity
        where application_name = 'Citus Maintenance Daemon' and datname = current_database()) as "hasMaintenance",
      (select setting::integer > 0 from pg_settings where name = 'citus.recover_2pc_interval') as recovers`);
  const isUp = nodes.every(({ state }) => state !== null);
  const distributed = tables.filter(({ column }) => column !== null).map(({ name }) => name);
  const guards = isUp ? await readGuards(query, distributed) : [];
  const shardsOf = (state: GuardsRow['state']) =>
    guards.filter((each) => each.state === state).map(({ shard }) => shard);
  return { ...row, tables, nodes, unguardedShards: shardsOf('unguarded'), silentShards: shardsOf('silent') };
}

type Listed = Pick<Cluster, 'tables' | 'nodes' | 'unguardedShards' | 'silentShards'>;

const NOTHING = { shards: 0, copiedShards: 0, hasMaintenance: false, recovers: false };

interface GuardsRow {
  readonly shard: string;
  readonly state: 'unguarded' | 'silent';
}

/** The shards of which it is not known that the audit log is append-only there. */
async function readGuards(query: Query, distributed: readonly string[]): Promise<readonly GuardsRow[]> {
  const found: GuardsRow[] = [];
  for (const name of distributed) {
    const guards = GUARDS.get(name) ?? 0;
    if (guards === 0) continue;
    const rows = await query<GuardsRow>(`
      select '${name}_' || shardid as shard, case when success then 'unguarded' else 'silent' end as state
      from run_command_on_shards('${name}', $$
        select count(*) >= ${guards} from pg_trigger
        where tgrelid = '%s'::regclass and not tgisinternal and tgenabled in ('O', 'A')$$)
      where not success or result <> 't' order by shardid`);
    found.push(...rows);
  }
  return found;
}
