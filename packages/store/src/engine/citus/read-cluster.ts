import { KEPT } from '../../schema/definition/placement.ts';
import type { Query } from '../run-query.ts';

/** A table of the schema, as Citus knows it. */
export interface PlacedTable {
  readonly name: string;
  /** The column that it is distributed by; null for a table that is not. */
  readonly column: string | null;
  /** Tables of one group have the rows of a tenant on one node; null for a table that is not distributed. */
  readonly group: number | null;
  readonly hasTenant: boolean;
  /** Whether it is to stay on the coordinator. */
  readonly isKept: boolean;
}

/** What a node says of itself. */
export interface ClusterNode {
  /** `host:port`, as the coordinator knows it. */
  readonly address: string;
  readonly hasShards: boolean;
  /** Whether Citus uses it, and it has answered. */
  readonly isActive: boolean;
  /** The settings that are off and must not be; null without an answer. */
  readonly looseSettings: readonly string[] | null;
  /** Milliseconds; 0 for no limit, null without an answer. */
  readonly lockMs: number | null;
  /** Whether the coordinator speaks to it by TLS, or without leaving the machine; null without an answer. */
  readonly isPrivate: boolean | null;
}

export interface Cluster {
  readonly tables: readonly PlacedTable[];
  readonly nodes: readonly ClusterNode[];
  /** How many shards the table of tenants has. */
  readonly shards: number;
  /** Whether the process runs that ends transactions of several nodes, and whether it does so. */
  readonly hasMaintenance: boolean;
  readonly recovers: boolean;
}

// kysely makes its tables itself.
const TABLES_OF_SCHEMA = `
  select relname as name, column_to_column_name(oid, partkey) as column, colocationid as group,
    exists (select from pg_attribute where attrelid = oid and attname = 'tenant' and not attisdropped) as "hasTenant",
    coalesce(obj_description(oid, 'pg_class') = '${KEPT}', false)
      or relname in ('kysely_migration', 'kysely_migration_lock') as "isKept"
  from pg_class left join pg_dist_partition on logicalrelid = oid
  where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relation_is_a_known_shard(oid)
    and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
  order by relname`;

/** The tables of the schema that the service uses, in a database with Citus. */
export const readTables = (query: Query): Promise<readonly PlacedTable[]> => query(TABLES_OF_SCHEMA);

const STATE = `
  select json_build_object(
    'looseSettings', (
      select coalesce(json_agg(name order by name), '[]') from pg_settings
      where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off'),
    'lockMs', (select setting::integer from pg_settings where name = 'lock_timeout'),
    'isPrivate', coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false)
      or coalesce(inet_client_addr() <<= '127.0.0.0/8' or inet_client_addr() = '::1', true))`;

const NODES = `
  select nodename || ':' || nodeport as address, shouldhaveshards as "hasShards",
    isactive and metadatasynced and coalesce(success, false) as "isActive", state -> 'looseSettings' as "looseSettings",
    (state ->> 'lockMs')::integer as "lockMs", (state ->> 'isPrivate')::boolean as "isPrivate"
  from pg_dist_node left join run_command_on_all_nodes($$${STATE}$$) as answer using (nodeid)
  cross join lateral (select case when success then result::json end as state) as answered
  where noderole = 'primary' order by groupid`;

/** The nodes that the coordinator knows, with what each of them says. */
export const readNodes = (query: Query): Promise<readonly ClusterNode[]> => query(NODES);

const COORDINATOR = `
  select (select count(*)::integer from pg_dist_shard where logicalrelid = to_regclass('tenant')) as shards,
    exists (
      select from pg_stat_activity
      where application_name = 'Citus Maintenance Daemon' and datname = current_database()) as "hasMaintenance",
    (select setting::integer > 0 from pg_settings where name = 'citus.recover_2pc_interval') as recovers`;

/** Reads what the checks of a cluster need. */
export async function readCluster(query: Query): Promise<Cluster> {
  const tables = await readTables(query);
  const nodes = await readNodes(query);
  const [row = { shards: 0, hasMaintenance: false, recovers: false }] =
    await query<Omit<Cluster, 'tables' | 'nodes'>>(COORDINATOR);
  return { ...row, tables, nodes };
}
