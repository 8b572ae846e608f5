import { setTimeout } from 'node:timers/promises';
import type { Query } from '../run-query.ts';
import { type Faults, faultsOfCluster } from './cluster-faults.ts';
import { hasCitus, type Layout } from './layout.ts';
import { type Cluster, readCluster, readTables } from './read-cluster.ts';

/** How a database is laid out, and why the service cannot run on it. */
export interface ExaminedLayout {
  readonly layout: Layout;
  readonly faults: Faults;
  /** Null where tenants are on one server. */
  readonly cluster: Cluster | null;
}

const LOOK_EVERY_MS = 250;
const LOOKS_MAX = 20;

const ON_ONE_SERVER: ExaminedLayout = { layout: 'oneServer', faults: [], cluster: null };

/** Examines how a database is laid out, on a connection without a transaction. */
export async function examineLayout(query: Query): Promise<ExaminedLayout> {
  if (!(await hasCitus(query))) return ON_ONE_SERVER;
  if (!(await isOfCoordinator(query))) return { ...ON_ONE_SERVER, faults: [OF_WORKER] };
  const tables = await readTables(query);
  if (tables.every(({ column }) => column === null)) return ON_ONE_SERVER;
  let cluster = await readCluster(query);
  // The daemon starts with the first use of Citus, and tells nodes what has changed.
  // A node that has lost the connection of the coordinator answers on the next one.
  for (let looks = 1; isUnsettled(cluster) && looks < LOOKS_MAX; looks++) {
    await setTimeout(LOOK_EVERY_MS);
    cluster = await readCluster(query);
  }
  return { layout: 'distributed', faults: faultsOfCluster(cluster), cluster };
}

/** Resolves with how a database is laid out; rejects with what is wrong, and what to do about it. */
export async function assertLayout(query: Query): Promise<Layout> {
  const { layout, faults } = await examineLayout(query);
  if (faults.length > 0) throw new Error(faults.join(' '));
  return layout;
}

export const OF_WORKER = 'This is a worker of a Citus cluster: name the coordinator with DATABASE_URL.';

/** Whether a node with Citus is the coordinator of its cluster, or in none. */
export async function isOfCoordinator(query: Query): Promise<boolean> {
  const found = await query('select from pg_dist_local_group where groupid = 0');
  return found.length > 0;
}

const isUnsettled = ({ hasMaintenance, nodes }: Cluster): boolean =>
  !hasMaintenance || nodes.some(({ isActive }) => !isActive);
