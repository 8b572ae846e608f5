import pg from 'pg';
import { inject } from 'vitest';

/** Works while another program holds the lock that the writes of all data of a tenant wait for. */
export async function withLock(url: string, tenant: string, work: () => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('begin');
    // On Citus that is the row of their version, which the tenant has from its first write on.
    if (inject('isOnCitus'))
      await client.query(
        `insert into tenant_change (tenant, line, version, write_id) values ($1, '', 0, '')
          on conflict (tenant, line) do update set version = tenant_change.version`,
        [tenant],
      );
    else await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`access-admin:${tenant}`]);
    await work();
  } finally {
    await client.end();
  }
}
