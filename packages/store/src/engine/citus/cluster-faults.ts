import type { Cluster, ClusterNode, PlacedTable } from './read-cluster.ts';

/** What is wrong with a cluster, a sentence each that says what to do. */
export type Faults = readonly string[];

/** Why the service cannot run on the nodes of a cluster. */
export function faultsOfNodes(nodes: readonly ClusterNode[]): Faults {
  if (!nodes.some(({ hasShards }) => hasShards)) return ['No node takes shards: add one with citus_add_node.'];
  return [
    ...faultOf(
      nodes.filter(({ isActive }) => !isActive),
      'is away, or not in step with the coordinator: start it, let the coordinator reach it, and call citus_activate_node for it.',
    ),
    ...faultOf(
      nodes.filter(({ looseSettings }) => looseSettings !== null && looseSettings.length > 0),
      'would lose acknowledged writes at a power cut: turn fsync, full_page_writes and synchronous_commit on.',
    ),
    ...faultOf(
      nodes.filter(({ lockMs }) => lockMs === 0),
      'has no lock_timeout for this role, so that it would wait for a lock without end: run `access-admin distribute`, which sets it.',
    ),
    ...faultOf(
      nodes.filter(({ isPrivate }) => isPrivate === false),
      'hears the coordinator without TLS: set ssl there, and sslmode=require or more in citus.node_conninfo of every node.',
    ),
  ];
}

const faultOf = (nodes: readonly ClusterNode[], fault: string): Faults =>
  nodes.length === 0 ? [] : [`${listOf(nodes.map(({ address }) => address))} ${fault}`];

/** Why the service cannot run on how tables lie in a cluster. */
export function faultsOfTables(tables: readonly PlacedTable[]): Faults {
  const group = tables.find(({ name }) => name === 'tenant')?.group;
  const named = (isWrong: (table: PlacedTable) => boolean) => tables.filter(isWrong).map(({ name }) => name);
  const missing = named(({ column, isKept, hasTenant }) => column === null && !isKept && hasTenant);
  const misplaced = named(({ column, group: own, isKept }) =>
    isKept ? own !== null : column !== null && (column !== 'tenant' || own !== group),
  );
  const faults = [
    missing.length > 0 &&
      `Only a part of the schema is distributed, and ${listOf(missing)} is not: stop the service and run \`access-admin distribute\`, which goes on.`,
    misplaced.length > 0 &&
      `${listOf(misplaced)} must lie with the tenants, or on the coordinator if it is of no tenant: undistribute_table, then \`access-admin distribute\`.`,
  ];
  return [...faultsOfStrangers(tables), ...faults.filter((fault) => fault !== false)];
}

/** Why tables can neither be distributed nor stay on the coordinator. */
export function faultsOfStrangers(tables: readonly PlacedTable[]): Faults {
  const strangers = tables.filter(({ column, isKept, hasTenant }) => column === null && !isKept && !hasTenant);
  if (strangers.length === 0) return [];
  return [
    `${listOf(strangers.map(({ name }) => name))} is no table of the service: move it to another schema or database.`,
  ];
}

/** Why the service cannot run on a cluster over which tenants are distributed. */
export function faultsOfCluster({ nodes, tables, hasMaintenance, recovers }: Cluster): Faults {
  const faults = [
    !hasMaintenance &&
      'The maintenance daemon of Citus does not run for this database: raise max_worker_processes on the coordinator and restart it.',
    !recovers && 'citus.recover_2pc_interval is off: set it above 0 on the coordinator.',
  ];
  return [...faultsOfNodes(nodes), ...faultsOfTables(tables), ...faults.filter((fault) => fault !== false)];
}

const NAMED_MAX = 5;

const listOf = (names: readonly string[]): string =>
  names.length > NAMED_MAX
    ? `${names.slice(0, NAMED_MAX).join(', ')} and ${names.length - NAMED_MAX} more`
    : names.join(', ');
