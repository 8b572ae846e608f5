import { Socket } from 'node:net';
import pg from 'pg';
import type { Layout } from '../citus/layout.ts';
import { NODE_TIMEOUT, type Settings, sessionSettingsOf } from '../citus/settings.ts';
import { isTimedOut } from './errors.ts';
import type { PostgresLimits } from './limits.ts';

const INT8 = 20;

/** Returns bigint columns as numbers. None exceeds 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 && format !== 'binary' ? Number : pg.types.getTypeParser(oid, format ?? 'text'),
};

/** Limits the time that a hanging server can delay requests, and that a hanging writer can lock a tenant. */
const timeoutsOf = (limits: PostgresLimits): Settings => ({
  statement_timeout: limits.statementMs,
  lock_timeout: limits.lockMs,
  idle_in_transaction_session_timeout: 120_000,
});
/** Set on every connection: a pooler may lend it a session in which others have turned them off. */
const PLANS: Settings = { enable_seqscan: 'on', enable_hashjoin: 'on', enable_mergejoin: 'on' };
/** For migrations, whose time grows with the data. */
const WITHOUT_LIMITS: Settings = { statement_timeout: 0, lock_timeout: 0, idle_in_transaction_session_timeout: 0 };
const IDLE_MS_MAX = 60_000;

/** The name of each connection of the service on the server. */
export const APPLICATION_NAME = 'access-admin';

/** A connection of its own. */
export interface OwnConnection {
  readonly client: pg.Client;
  /** Connects, and makes the settings of the session. */
  connect(): Promise<void>;
  /** Destroys it: its end would wait for a statement that hangs. */
  cut(): void;
}

/** Ways to connect to a server, and a way to cut all connections. */
export interface PostgresConnections {
  /** A pool of at most `max` connections, with further settings of their sessions. */
  openPool(max: number, settings?: Settings): pg.Pool;
  openClient(): OwnConnection;
  /** A connection whose session has no settings. */
  openBare(): pg.Client;
  /** Destroys every connection, so that hanging work fails. The driver has no call for that. */
  cut(): void;
}

/** The settings of sessions that examine a cluster, or an engine without one. */
export const OF_EXAMINATION: ConnectionOptions = { settings: NODE_TIMEOUT };

/** Settings are made by statements: poolers refuse what a connection asks for as it starts. */
const assign = (settings: Settings): string =>
  Object.entries(settings)
    .map(([name, value]) => `set ${name} = '${value}'`)
    .join('; ');

interface ConnectionOptions {
  readonly layout?: Layout;
  /** Further settings of the sessions. */
  readonly settings?: Settings;
  /** Whether statements, and waits for locks, may take any time. */
  readonly isUnlimited?: boolean;
}

export function createPostgresConnections(
  connectionString: string,
  limits: PostgresLimits,
  { layout = 'oneServer', settings = {}, isUnlimited = false }: ConnectionOptions = {},
): PostgresConnections {
  const sockets = new Set<Socket>();
  const stream = () => {
    const socket = new Socket();
    sockets.add(socket);
    return socket.once('close', () => sockets.delete(socket));
  };
  const config: pg.ClientConfig = {
    connectionString,
    application_name: APPLICATION_NAME,
    types,
    stream,
    connectionTimeoutMillis: limits.connectMs,
    query_timeout: isUnlimited ? 0 : limits.responseMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  };
  const ofSession = {
    ...PLANS,
    ...(isUnlimited ? WITHOUT_LIMITS : timeoutsOf(limits)),
    ...sessionSettingsOf(layout),
    ...settings,
  };
  const openBare = (given: pg.ClientConfig = {}) => {
    const client = new pg.Client({ ...config, ...given });
    // Its statement fails in any case.
    client.on('error', () => {});
    return client;
  };
  return {
    openPool: (max, further = {}) => {
      const settle = assign({ ...ofSession, ...further });
      const onConnect = async (client: pg.ClientBase) => void (await client.query(settle));
      const pool = new pg.Pool({ ...config, max, idleTimeoutMillis: IDLE_MS_MAX, onConnect });
      // Without these listeners a lost connection would end the process. Its statement fails in any case.
      pool.on('error', () => {});
      pool.on('connect', (client) => {
        client.on('error', () => {});
        endWithoutAnswer(client);
      });
      return pool;
    },
    openClient: () => {
      const socket = stream();
      const client = openBare({ stream: () => socket });
      const connect = async () => {
        await client.connect();
        await client.query(assign(ofSession));
      };
      return { client, connect, cut: () => socket.destroy() };
    },
    openBare,
    cut: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Ends a connection whose statement has got no answer: whatever is sent next would wait for that answer too. */
function endWithoutAnswer(client: pg.PoolClient): void {
  const send = (...given: unknown[]): unknown => {
    const answer: unknown = Reflect.apply(pg.Client.prototype.query, client, given);
    // The driver destroys the socket of a client that waits for an answer.
    if (answer instanceof Promise)
      answer.catch((error: unknown) => {
        if (isTimedOut(error)) client.end().catch(() => {});
      });
    return answer;
  };
  Object.assign(client, { query: send });
}

/** The types of the driver leave it out. */
export const processIdOf = (client: pg.ClientBase): number => Number(Object(client).processID);
