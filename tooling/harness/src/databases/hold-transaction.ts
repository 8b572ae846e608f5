import pg from 'pg';

/** A transaction of another program on PostgreSQL, which keeps its locks until it is committed. */
export async function holdTransaction(url: string, statement: string): Promise<{ commit(): Promise<void> }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('begin');
  await client.query(statement);
  return {
    commit: async () => {
      await client.query('commit');
      await client.end();
    },
  };
}
