import { expect, test } from 'vitest';
import { adviceOnNodes, faultsOfCluster } from './cluster-faults.ts';
import type { Cluster, ClusterNode, NodeState } from './read-cluster.ts';

const STATE: NodeState = {
  postgres: '15.20',
  citus: '13.2-1',
  encoding: 'UTF8',
  fsync: 'on',
  fullPageWrites: 'on',
  synchronousCommit: 'on',
  preparedMax: 600,
  lockMs: 5_000,
  planCacheMode: 'auto',
  walLevel: 'logical',
  prepared: [],
  isPrivate: true,
};

const node = (name: string, state: NodeState | null = STATE): ClusterNode => ({
  address: `${name}.example.com:5432`,
  isCoordinator: name === 'db0',
  hasShards: name !== 'db0',
  isActive: true,
  state,
});

const CLUSTER: Cluster = {
  tables: [
    {
      name: 'tenant',
      column: 'tenant',
      group: 1,
      isHashed: true,
      hasTenant: true,
      isKept: false,
      hasRest: false,
    },
  ],
  nodes: [node('db0'), node('db1')],
  shards: 4,
  copiedShards: 0,
  unguardedShards: [],
  silentShards: [],
  hasMaintenance: true,
  recovers: true,
};

test('a cluster as it must be has no fault', () => {
  expect(faultsOfCluster(CLUSTER)).toEqual([]);
});

test.each<[string, Partial<NodeState>]>([
  ['acknowledged writes would be lost at a power cut: turn fsync on.', { fsync: 'off' }],
  [
    'acknowledged writes would be lost at a power cut: turn full_page_writes, synchronous_commit on.',
    { fullPageWrites: 'off', synchronousCommit: 'off' },
  ],
  ['the database is in LATIN1: create it in UTF8.', { encoding: 'LATIN1' }],
  ['max_prepared_transactions is 0, with which migrations fail: leave it out, as Citus sets it.', { preparedMax: 0 }],
  ['plan_cache_mode is force_custom_plan: set it to auto.', { planCacheMode: 'force_custom_plan' }],
  [
    'the coordinator is heard without TLS: set ssl there, and sslmode=require or more in citus.node_conninfo of every node.',
    { isPrivate: false },
  ],
])('on a node %s', (fault, state) => {
  const nodes = [node('db0'), node('db1', { ...STATE, ...state })];
  expect(faultsOfCluster({ ...CLUSTER, nodes })).toEqual([`On db1.example.com:5432 ${fault}`]);
});

test.each<[string, Partial<Cluster>]>([
  [
    'The maintenance daemon of Citus does not run for this database: raise max_worker_processes on the coordinator and restart it.',
    { hasMaintenance: false },
  ],
  ['citus.recover_2pc_interval is off: set it above 0 on the coordinator.', { recovers: false }],
  [
    'The nodes have several versions of Citus (13.2-1, 13.1-1): give all the same.',
    { nodes: [node('db0'), node('db1', { ...STATE, citus: '13.1-1' })] },
  ],
  [
    'db1.example.com:5432 gives the coordinator no answer: start it, and let the coordinator reach it.',
    { nodes: [node('db0'), node('db1', null)] },
  ],
])('%s', (fault, cluster) => {
  expect(faultsOfCluster({ ...CLUSTER, ...cluster })).toEqual([fault]);
});

test('nodes with the same fault are told together', () => {
  const state = { ...STATE, lockMs: 0 };
  expect(faultsOfCluster({ ...CLUSTER, nodes: [node('db0', state), node('db1', state)] })).toEqual([
    expect.stringContaining('On db0.example.com:5432, db1.example.com:5432 this role has no lock_timeout'),
  ]);
});

test('nodes that take shards and have another wal_level than logical are told, and are no reason not to start', () => {
  const state = { ...STATE, walLevel: 'replica' };
  const nodes = [node('db0', state), node('db1', state), node('db2', null), node('db3', state)];
  expect(adviceOnNodes(nodes)).toEqual([
    'On db1.example.com:5432, db3.example.com:5432 wal_level is not logical: set it and restart, or writes wait while a shard of their tenant is moved.',
  ]);
  expect(faultsOfCluster({ ...CLUSTER, nodes: [node('db0'), node('db1', state)] })).toEqual([]);
  expect(adviceOnNodes(CLUSTER.nodes)).toEqual([]);
});

test('a shard that has not answered is not told to lack its triggers', () => {
  expect(faultsOfCluster({ ...CLUSTER, silentShards: ['audit_event_7'] })).toEqual([
    'audit_event_7 gives the coordinator no answer: look whether its node can be reached.',
  ]);
});

test('of many names, some are told', () => {
  const unguardedShards = Array.from({ length: 9 }, (_, at) => `audit_event_${at}`);
  expect(faultsOfCluster({ ...CLUSTER, unguardedShards })).toEqual([
    expect.stringContaining('on audit_event_0, audit_event_1, audit_event_2, audit_event_3, audit_event_4 and 4 more:'),
  ]);
});
