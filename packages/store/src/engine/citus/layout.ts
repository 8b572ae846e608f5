import type { Query } from '../run-query.ts';

/**
 * Where the rows of tenants are: in tables of one server, or distributed by Citus over the nodes of a cluster, all rows of a tenant
 * in shards of one node. Statements of both name the tenant, so that one node has all that they concern.
 */
export type Layout = 'oneServer' | 'distributed';

/** Finds out how a database is laid out; one without the table `tenant` is as of one server. */
export async function findLayout(query: Query): Promise<Layout> {
  if (!(await hasCitus(query))) return 'oneServer';
  const found = await query(`select from pg_dist_partition where logicalrelid = to_regclass('tenant')`);
  return found.length > 0 ? 'distributed' : 'oneServer';
}

/** Whether the database has the extension Citus. */
export async function hasCitus(query: Query): Promise<boolean> {
  const found = await query(`select from pg_extension where extname = 'citus'`);
  return found.length > 0;
}

/** Whether one statement can write to several tables. Citus routes no `with` that inserts. */
export const chainsWrites = (layout: Layout): boolean => layout === 'oneServer';
