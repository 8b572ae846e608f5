import pg from 'pg';

/** Works while another program holds an advisory lock of a database. */
export async function withLock(url: string, name: string, work: () => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [name]);
    await work();
  } finally {
    await client.end();
  }
}
