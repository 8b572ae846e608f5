import type { Cluster, ClusterNode, NodeState, PlacedTable } from './read-cluster.ts';

/** What is wrong with a cluster, a sentence each that says what to do. */
export type Faults = readonly string[];

/** Why the service cannot run on the nodes of a cluster. */
export function faultsOfNodes(nodes: readonly ClusterNode[]): Faults {
  if (!nodes.some(({ hasShards }) => hasShards)) return ['No node takes shards: add one with citus_add_node.'];
  const inactive = nodes.filter(({ isActive }) => !isActive).map(({ address }) => address);
  if (inactive.length > 0)
    return [`${listOf(inactive)} is not active or not in step with the coordinator: call citus_activate_node for it.`];
  const silent = nodes.filter(({ state }) => state === null).map(({ address }) => address);
  if (silent.length > 0)
    return [`${listOf(silent)} gives the coordinator no answer: start it, and let the coordinator reach it.`];
  return [...differingVersions(nodes), ...faultsOfStates(nodes)];
}

/** What should be otherwise on the nodes, although the service runs on them: a sentence each that says what to do. */
export function adviceOnNodes(nodes: readonly ClusterNode[]): readonly string[] {
  const others = nodes.filter(({ hasShards, state }) => hasShards && state !== null && state.walLevel !== 'logical');
  if (others.length === 0) return [];
  const addresses = listOf(others.map(({ address }) => address));
  return [
    `On ${addresses} wal_level is not logical: set it and restart, or writes wait while a shard of their tenant is moved.`,
  ];
}

/** Nodes with the same fault are told together. */
function faultsOfStates(nodes: readonly ClusterNode[]): Faults {
  const found = nodes.flatMap(({ address, state }) =>
    state === null ? [] : faultsOfState(state).map((fault) => ({ address, fault })),
  );
  return [...Map.groupBy(found, ({ fault }) => fault)].map(
    ([fault, of]) => `On ${listOf(of.map(({ address }) => address))} ${fault}`,
  );
}

function differingVersions(nodes: readonly ClusterNode[]): Faults {
  const versionsOf = (name: 'postgres' | 'citus') =>
    new Set(nodes.map(({ state }) => state?.[name]).filter((version) => version !== undefined));
  return (['postgres', 'citus'] as const)
    .map((name) => ({ name, versions: [...versionsOf(name)] }))
    .filter(({ versions }) => versions.length > 1)
    .map(
      ({ name, versions }) =>
        `The nodes have several versions of ${name === 'citus' ? 'Citus' : 'PostgreSQL'} (${versions.join(', ')}): give all the same.`,
    );
}

function faultsOfState(state: NodeState): Faults {
  const loose = Object.entries({
    fsync: state.fsync,
    full_page_writes: state.fullPageWrites,
    synchronous_commit: state.synchronousCommit,
  })
    .filter(([, value]) => value === 'off')
    .map(([name]) => name);
  const faults = [
    loose.length > 0 && `acknowledged writes would be lost at a power cut: turn ${listOf(loose)} on.`,
    state.encoding !== 'UTF8' && `the database is in ${state.encoding}: create it in UTF8.`,
    state.preparedMax === 0 &&
      'max_prepared_transactions is 0, with which migrations fail: leave it out, as Citus sets it.',
    state.planCacheMode !== 'auto' && `plan_cache_mode is ${state.planCacheMode}: set it to auto.`,
    state.lockMs === 0 &&
      'this role has no lock_timeout, so that it would wait for a lock without end: run `access-admin distribute`, which sets it.',
    state.prepared.length > 0 &&
      `prepared transactions are left (${listOf(state.prepared)}): call recover_prepared_transactions() on the coordinator.`,
    !state.isPrivate &&
      'the coordinator is heard without TLS: set ssl there, and sslmode=require or more in citus.node_conninfo of every node.',
  ];
  return faults.filter((fault) => fault !== false);
}

/** Why the service cannot run on how tables lie in a cluster. */
export function faultsOfTables(tables: readonly PlacedTable[]): Faults {
  const group = tables.find(({ name }) => name === 'tenant')?.group;
  const named = (isWrong: (table: PlacedTable) => boolean) => tables.filter(isWrong).map(({ name }) => name);
  const missing = named(({ column, isKept, hasTenant }) => column === null && !isKept && hasTenant);
  const scattered = named(
    (table) =>
      table.column !== null && !table.isKept && (table.column !== 'tenant' || !table.isHashed || table.group !== group),
  );
  const moved = named(({ column, group: own, isKept }) => isKept && (column !== null || own !== null));
  const rests = named(({ hasRest }) => hasRest);
  const faults = [
    missing.length > 0 &&
      `Only a part of the schema is distributed, and ${listOf(missing)} is not: stop the service and run \`access-admin distribute\`, which goes on.`,
    scattered.length > 0 &&
      `The rows of ${listOf(scattered)} do not lie with their tenants: undistribute_table, then \`access-admin distribute\`.`,
    moved.length > 0 && `${listOf(moved)} must lie on the coordinator: call undistribute_table for it.`,
    rests.length > 0 &&
      `${listOf(rests)} has rows from before the distribution on the coordinator: stop the service and run \`access-admin distribute\`, which removes them.`,
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
export function faultsOfCluster(cluster: Cluster): Faults {
  const ofNodes = faultsOfNodes(cluster.nodes);
  const { copiedShards, unguardedShards, silentShards } = cluster;
  const faults = [
    copiedShards > 0 &&
      `${copiedShards} shards have not one placement: the service needs citus.shard_replication_factor = 1.`,
    unguardedShards.length > 0 &&
      `The triggers that keep the audit log append-only are missing or off on ${listOf(unguardedShards)}: create them anew, as the schema has them.`,
    silentShards.length > 0 &&
      `${listOf(silentShards)} gives the coordinator no answer: look whether its node can be reached.`,
    !cluster.hasMaintenance &&
      'The maintenance daemon of Citus does not run for this database: raise max_worker_processes on the coordinator and restart it.',
    !cluster.recovers && 'citus.recover_2pc_interval is off: set it above 0 on the coordinator.',
  ];
  return [...ofNodes, ...faultsOfTables(cluster.tables), ...faults.filter((fault) => fault !== false)];
}

const NAMED_MAX = 5;

const listOf = (names: readonly string[]): string =>
  names.length > NAMED_MAX
    ? `${names.slice(0, NAMED_MAX).join(', ')} and ${names.length - NAMED_MAX} more`
    : names.join(', ');
