import { Socket } from 'node:net';
import pg from 'pg';
import type { Layout } from './layout.ts';
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
  /** A connection of its own, and a way to cut it: its end would wait for a statement that hangs. */
  openClient(): { readonly client: pg.Client; cut(): void };
  /** Destroys every connection, so that hanging work fails. The driver has no call for that. */
  cut(): void;
}

/**
 * Citus is to use one connection to each of its nodes for a connection to the coordinator: a transaction then has one snapshot on
 * each node. What `set local` says is to hold there too. By default it waits half a minute for a node that does not answer.
 */
const OF_LAYOUT: Readonly<Record<Layout, readonly string[]>> = {
  oneServer: [],
  distributed: [
    'citus.max_adaptive_executor_pool_size=1',
    'citus.propagate_set_commands=local',
    'citus.node_connection_timeout=2000',
  ],
};

/** The settings of sessions that examine a cluster, or an engine without one. */
export const OF_EXAMINATION: ConnectionOptions = { settings: ['citus.node_connection_timeout=2000'] };

/** Adds settings of the sessions to an address, which may have some already: those in an address replace all others. */
function withSettings(connectionString: string, settings: readonly string[]): string {
  if (settings.length === 0) return connectionString;
  const [, address = '', parameters = ''] = /^([^?]*)\??(.*)$/.exec(connectionString) ?? [];
  const all = new URLSearchParams(parameters);
  const given = all.get('options');
  const added = settings.map((setting) => `-c ${setting}`).join(' ');
  all.set('options', given === null ? added : `${given} ${added}`);
  return `${address}?${all}`;
}

interface ConnectionOptions {
  readonly layout?: Layout;
  /** Further settings of the sessions, as `name=value`. */
  readonly settings?: readonly string[];
}

export function createPostgresConnections(
  connectionString: string,
  limits: PostgresLimits,
  { layout = 'oneServer', settings = [] }: ConnectionOptions = {},
): PostgresConnections {
  const sockets = new Set<Socket>();
  const stream = () => {
    const socket = new Socket();
    sockets.add(socket);
    return socket.once('close', () => sockets.delete(socket));
  };
  const config: pg.ClientConfig = {
    connectionString: withSettings(connectionString, [...OF_LAYOUT[layout], ...settings]),
    application_name: 'access-admin',
    types,
    stream,
    ...timeoutsOf(limits),
  };
  return {
    config,
    openClient: () => {
      const socket = stream();
      const client = new pg.Client({ ...config, stream: () => socket });
      // Its statement fails in any case.
      client.on('error', () => {});
      return { client, cut: () => socket.destroy() };
    },
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

/** The connections of pools by the number of their process on the server. */
export interface Sessions {
  readonly processIds: readonly number[];
  /** Ends connections, so that what waits for them fails. */
  cut(processIds: readonly number[]): void;
}

export function createSessions(pools: readonly pg.Pool[]): Sessions {
  const clients = new Map<number, pg.PoolClient>();
  for (const pool of pools) {
    pool.on('connect', (client) => clients.set(processIdOf(client), client));
    pool.on('remove', (client) => clients.delete(processIdOf(client)));
  }
  return {
    get processIds() {
      return [...clients.keys()];
    },
    cut: (processIds) => {
      // The driver destroys the socket of a client that waits for an answer.
      for (const id of processIds)
        clients
          .get(id)
          ?.end()
          .catch(() => {});
    },
  };
}

/** The types of the driver leave it out. */
const processIdOf = (client: pg.PoolClient): number => Number(Object(client).processID);
