import { fail, type Result } from '@access-admin/domain';
import { type Distribution, distributePostgres } from '../engine/citus/distribute.ts';
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
  return address === null || 'sqlitePath' in address
    ? fail('Only PostgreSQL with Citus distributes tenants: name the coordinator of a cluster with DATABASE_URL.')
    : distributePostgres({ url: address.postgresUrl, shards, migrations: migrationsOf('postgres') });
}
