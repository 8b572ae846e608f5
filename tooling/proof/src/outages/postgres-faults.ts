import { setTimeout as delay } from 'node:timers/promises';
import type { PostgresServer } from '@access-admin/harness';
import pg from 'pg';
import type { Random } from '../campaign/random.ts';

/** The server to disturb, and the database of the service on it. */
export interface Target {
  readonly server: Pick<PostgresServer, 'url' | 'pid' | 'stop' | 'start'>;
  readonly url: string;
  readonly random: Random;
  /** Called while the server is down or hangs; it is back when this has resolved. */
  whileDown(): Promise<void>;
}

/** Disturbs the server; resolves once it accepts connections again. */
export type Fault = (target: Target) => Promise<void>;

const CONNECTION_SCANS = 4;
const SCAN_INTERVAL_MS = 10;
const FULL_MS = 1_000;
const CONNECTING_AT_ONCE = 20;

const restart =
  (mode: 'fast' | 'immediate' | 'kill'): Fault =>
  async ({ server, whileDown }) => {
    await server.stop(mode);
    await whileDown();
    await server.start();
  };

/** Faults by their names in reports. */
export const FAULTS: Readonly<Record<string, Fault>> = {
  'restarted fast': restart('fast'),
  'restarted at once': restart('immediate'),
  killed: restart('kill'),
  'all connections terminated': ({ url }) => terminate(url, 'true'),
  'some connections terminated': ({ url, random }) => terminate(url, `pid % 3 = ${random(3)}`),
  'one listener terminated': ({ url }) =>
    terminate(
      url,
      `pid = (select pid from pg_stat_activity where ${OTHERS} and ${LISTENERS} order by random() limit 1)`,
    ),
  hanging: hang,
  'out of connections': takeAllConnections,
};

// All connections of the service.
const OTHERS = "backend_type = 'client backend' and datname = current_database() and pid <> pg_backend_pid()";
// A listening connection also polls for changes, or has done nothing yet.
const LISTENERS = "(query ilike 'listen %' or query like '%pg_current_snapshot()%')";

async function terminate(url: string, which: string): Promise<void> {
  await using client = await connect(url);
  await client.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${OTHERS} and ${which}`);
}

/** Stops answering and accepting without losing a connection. */
async function hang({ url, server, whileDown }: Target): Promise<void> {
  await using client = await connect(url);
  const stopped: number[] = [];
  const stop = (pid: number) => {
    signal(pid, 'SIGSTOP');
    stopped.push(pid);
  };
  try {
    const first = server.pid();
    if (first !== null) stop(first);
    // No new connections are accepted from now on; pending ones appear within a few scans.
    for (let scans = 0; scans < CONNECTION_SCANS; scans++) {
      const { rows } = await client.query(`select pid from pg_stat_activity where ${OTHERS}`);
      for (const pid of rows.map((row) => Number(row['pid']))) if (!stopped.includes(pid)) stop(pid);
      await delay(SCAN_INTERVAL_MS);
    }
    await whileDown();
  } finally {
    for (const pid of stopped) signal(pid, 'SIGCONT');
  }
}

/** Takes all connections, terminates those of the service and takes the freed ones, in competition with the service. */
async function takeAllConnections({ url }: Target): Promise<void> {
  await using taken = new AsyncDisposableStack();
  let fullSinceMs: number | null = null;
  while (fullSinceMs === null || performance.now() - fullSinceMs < FULL_MS) {
    const opened = await Promise.allSettled(Array.from({ length: CONNECTING_AT_ONCE }, () => connect(url)));
    const clients = opened.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
    for (const client of clients) taken.use(client);
    const refusals = opened.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
    if (refusals.some(({ code }) => code !== '53300')) throw refusals[0];
    if (refusals.length === 0 || fullSinceMs !== null) continue;
    fullSinceMs = performance.now();
    const all = `select pg_terminate_backend(pid) from pg_stat_activity where ${OTHERS} and application_name <> '${OURS}'`;
    await clients[0]?.query(all);
  }
}

const OURS = 'proof';

async function connect(url: string): Promise<Pick<pg.Client, 'query'> & AsyncDisposable> {
  const client = new pg.Client({ connectionString: url, application_name: OURS });
  client.on('error', () => {});
  await client.connect();
  return { query: client.query.bind(client), [Symbol.asyncDispose]: () => client.end() };
}

function signal(pid: number, name: 'SIGSTOP' | 'SIGCONT'): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended already.
  }
}
