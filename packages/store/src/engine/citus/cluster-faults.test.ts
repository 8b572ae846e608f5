import { expect, test } from 'vitest';
import { faultsOfCluster } from './cluster-faults.ts';
import type { Cluster, ClusterNode, PlacedTable } from './read-cluster.ts';

const node = (name: string, fields: Partial<ClusterNode> = {}): ClusterNode => ({
  address: `${name}.example.com:5432`,
  hasShards: name !== 'db0',
  isActive: true,
  looseSettings: [],
  lockMs: 5_000,
  isPrivate: true,
  ...fields,
});

const table = (name: string, fields: Partial<PlacedTable> = {}): PlacedTable => ({
  name,
  column: 'tenant',
  group: 1,
  hasTenant: true,
  isKept: false,
  ...fields,
});

const KEPT = { column: null, group: null, hasTenant: false, isKept: true };

const CLUSTER: Cluster = {
  tables: [table('tenant'), table('role'), table('signing_key', KEPT)],
  nodes: [node('db0'), node('db1')],
  shards: 4,
  hasMaintenance: true,
  recovers: true,
};

test('a cluster as it must be has no fault', () => {
  expect(faultsOfCluster(CLUSTER)).toEqual([]);
});

test.each<[string, Partial<ClusterNode>]>([
  ['is away, or not in step', { isActive: false, looseSettings: null, lockMs: null, isPrivate: null }],
  ['would lose acknowledged writes at a power cut', { looseSettings: ['fsync'] }],
  ['has no lock_timeout for this role', { lockMs: 0 }],
  ['hears the coordinator without TLS', { isPrivate: false }],
])('a node that %s is named', (fault, fields) => {
  const nodes = [node('db0'), node('db1', fields), node('db2'), node('db3', fields)];
  expect(faultsOfCluster({ ...CLUSTER, nodes })).toEqual([
    expect.stringContaining(`db1.example.com:5432, db3.example.com:5432 ${fault}`),
  ]);
});

test.each<[string, Partial<PlacedTable>]>([
  ['note must lie with the tenants', { group: 2 }],
  ['note must lie with the tenants', { column: 'id' }],
  ['note must lie with the tenants', { ...KEPT, group: 3 }],
  ['and note is not', { column: null, group: null }],
  ['note is no table of the service', { column: null, group: null, hasTenant: false }],
])('%s, where it is otherwise', (fault, fields) => {
  const tables = [...CLUSTER.tables, table('note', fields)];
  expect(faultsOfCluster({ ...CLUSTER, tables })).toEqual([expect.stringContaining(fault)]);
});

test.each<[string, Partial<Cluster>]>([
  ['No node takes shards', { nodes: [node('db0')] }],
  ['The maintenance daemon of Citus does not run', { hasMaintenance: false }],
  ['citus.recover_2pc_interval is off', { recovers: false }],
])('%s', (fault, cluster) => {
  expect(faultsOfCluster({ ...CLUSTER, ...cluster })).toEqual([expect.stringContaining(fault)]);
});

test('of many names, some are told', () => {
  const strangers = Array.from({ length: 9 }, (_, at) => table(`t${at}`, { ...KEPT, isKept: false }));
  expect(faultsOfCluster({ ...CLUSTER, tables: [...CLUSTER.tables, ...strangers] })).toEqual([
    expect.stringContaining('t0, t1, t2, t3, t4 and 4 more is no table'),
  ]);
});
