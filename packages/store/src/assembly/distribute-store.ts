import { fail, type Result } from '@access-admin/domain';
import { type Distribution, distributeTenants } from '../engine/citus/distribute.ts';
import type { Layout } from '../engine/citus/layout.ts';
import { POSTGRES_LIMITS } from '../engine/postgres/limits.ts';
import { migrateLayout } from '../engine/postgres/migrate.ts';
import { APPLICATION_NAME, createPostgresConnections, OF_EXAMINATION } from '../engine/postgres/pool.ts';
import { queryOn } from '../engine/run-query.ts';
import { migrationsOf } from '../schema/migrations.ts';
import { parseDatabaseUrl } from './database-url.ts';

/**
 * Distributes the tenants of the database that a `DATABASE_URL` names over the nodes of its Citus cluster, in one transaction and
 * while no process uses it; the schema is made or migrated first. The failure says why it is refused, and what to do. Rejects as
 * `openStore` does where the database cannot be used.
 */
export async function distributeStore(
  databaseUrl: string,
  { shards }: { readonly shards?: number | undefined } = {},
): Promise<Result<Distribution, string>> {
  const address = parseDatabaseUrl(databaseUrl);
  if (address === null || 'sqlitePath' in address)
    return fail('Only PostgreSQL with Citus distributes tenants: name the coordinator of a cluster with DATABASE_URL.');
  const { postgresUrl: url } = address;
  const connections = createPostgresConnections(url, POSTGRES_LIMITS, { ...OF_EXAMINATION, isUnlimited: true });
  const { client, connect } = connections.openClient();
  await connect();
  try {
    const deps = {
      query: queryOn(client),
      migrate: (layout: Layout) => migrateLayout(url, layout, migrationsOf('postgres')),
      applicationName: APPLICATION_NAME,
      lockMs: POSTGRES_LIMITS.lockMs,
    };
    return await distributeTenants(deps, shards);
  } finally {
    await client.end();
  }
}
