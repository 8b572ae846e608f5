import { Socket } from 'node:net';
import pg from 'pg';

const INT8 = 20;

/** Numbers as numbers: none of ours is beyond 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 && format !== 'binary' ? Number : pg.types.getTypeParser(oid, format ?? 'text'),
};

/** A server that hangs must not hold up requests for long, nor may a writer that hangs hold a tenant. */
const TIMEOUTS: pg.ClientConfig = {
  connectionTimeoutMillis: 2_000,
  statement_timeout: 10_000,
  // Later than the server itself gives up: by then the connection is dead.
  query_timeout: 15_000,
  lock_timeout: 5_000,
  idle_in_transaction_session_timeout: 120_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
};
/** For changes of the schema, which take as long as the data are many. */
export const WITHOUT_LIMITS: pg.ClientConfig = { statement_timeout: 0, query_timeout: 0, lock_timeout: 0 };
const IDLE_MS_MAX = 60_000;

/** How connections are made, and cut. */
export interface PostgresConnections {
  readonly config: pg.ClientConfig;
  /** Breaks every connection at once: what hangs on one fails. The driver has no call for that. */
  cut(): void;
}

export function createPostgresConnections(connectionString: string): PostgresConnections {
  const sockets = new Set<Socket>();
  const stream = () => {
    const socket = new Socket();
    sockets.add(socket);
    return socket.once('close', () => sockets.delete(socket));
  };
  return {
    config: { connectionString, application_name: 'access-admin', types, stream, ...TIMEOUTS },
    cut: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Connections to be shared, at most `max` at a time. */
export function openPostgresPool(config: pg.ClientConfig, max: number): pg.Pool {
  const pool = new pg.Pool({ ...config, max, idleTimeoutMillis: IDLE_MS_MAX });
  // Without these the end of a connection would end the process. Whoever uses one learns of it from its statement.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}
