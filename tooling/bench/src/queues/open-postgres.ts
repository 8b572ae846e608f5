import { startPostgres } from '@access-admin/harness';
import { loadPeer } from '../../peers/load-peer.ts';

interface Client {
  on(event: 'error', listener: (error: Error) => void): unknown;
}

export interface Pool extends Client {
  query(sql: string): Promise<{ readonly rows: readonly Readonly<Record<string, unknown>>[] }>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'connect', listener: (client: Client) => void): unknown;
  end(): Promise<void>;
}

/** A PostgreSQL server on this machine with its durable default settings. */
export interface Postgres extends AsyncDisposable {
  readonly connectionString: string;
  readonly pool: Pool;
  /** Creates a database on the server and returns its address. */
  createDatabase(): Promise<string>;
}

const DURABLE = ['fsync', 'synchronous_commit', 'full_page_writes'];

export async function openPostgres(): Promise<Postgres> {
  const pg = await loadPeer<{ default: { Pool: new (options: object) => Pool } }>('pg');
  const server = await startPostgres();
  if ('unavailable' in server) throw new Error(server.unavailable);
  const pool = new pg.default.Pool({ connectionString: server.url });
  const complain = (error: Error) => process.stderr.write(`PostgreSQL: ${error.message}\n`);
  pool.on('error', complain);
  pool.on('connect', (client) => client.on('error', complain));
  for (const setting of DURABLE) {
    const { rows } = await pool.query(`show ${setting}`);
    if (rows[0]?.[setting] !== 'on') throw new Error(`PostgreSQL runs with ${setting} = ${rows[0]?.[setting]}.`);
  }
  return {
    connectionString: server.url,
    pool,
    createDatabase: async () => (await server.createDatabase()).url,
    async [Symbol.asyncDispose]() {
      await pool.end();
      await server[Symbol.asyncDispose]();
    },
  };
}
