import { Socket } from 'node:net';
import pg from 'pg';
import type { PostgresLimits } from './limits.ts';

const INT8 = 20;

/** Returns bigint columns as numbers. None exceeds 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 && format !== 'binary' ? Number : pg.types.getTypeParser(oid, format ?? 'text'),
};

/** Limits the time that a hanging server can delay requests, and that a hanging writer can lock a tenant. */
const timeoutsOf = (limits: PostgresLimits): pg.ClientConfig => ({
  connectionTimeoutMillis: limits.connectMs,
  statement_timeout: limits.statementMs,
  query_timeout: limits.responseMs,
  lock_timeout: limits.lockMs,
  idle_in_transaction_session_timeout: 120_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
});
/** For migrations, whose time grows with the data. */
export const WITHOUT_LIMITS: pg.ClientConfig = { statement_timeout: 0, query_timeout: 0, lock_timeout: 0 };
const IDLE_MS_MAX = 60_000;

/** The configuration of connections, and a way to cut them. */
export interface PostgresConnections {
  readonly config: pg.ClientConfig;
  /** Destroys every connection, so that hanging work fails. The driver has no call for that. */
  cut(): void;
}

export function createPostgresConnections(connectionString: string, limits: PostgresLimits): PostgresConnections {
  const sockets = new Set<Socket>();
  const stream = () => {
    const socket = new Socket();
    sockets.add(socket);
    return socket.once('close', () => sockets.delete(socket));
  };
  return {
    config: { connectionString, application_name: 'access-admin', types, stream, ...timeoutsOf(limits) },
    cut: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** A pool of at most `max` connections. */
export function openPostgresPool(config: pg.ClientConfig, max: number): pg.Pool {
  const pool = new pg.Pool({ ...config, max, idleTimeoutMillis: IDLE_MS_MAX });
  // Without these listeners a lost connection would end the process. Its statement fails in any case.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}
