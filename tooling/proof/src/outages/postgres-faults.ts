import { type PostgresServer, signalFamily } from '@access-admin/harness';
import type { Random } from '../campaign/random.ts';
import { openPostgres } from '../service/open-database.ts';

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

const FULL_MS = 1_000;
const CONNECTING_AT_ONCE = 20;
const OWN = 'proof';

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
// What learns of changes listens and polls versions, which nothing else does.
const LISTENERS = "query ~ '^\\s*(listen|select version from shared_change|select tenant, sum.version.::bigint)'";

async function terminate(url: string, which: string): Promise<void> {
  await using sql = await openPostgres(url);
  await sql.run(`select pg_terminate_backend(pid) from pg_stat_activity where ${OTHERS} and ${which}`);
}

/** Stops answering and accepting without losing a connection. */
async function hang({ server, whileDown }: Target): Promise<void> {
  const pid = server.pid();
  if (pid === null) throw new Error('PostgreSQL is not running');
  signalFamily(pid, 'SIGSTOP');
  await whileDown().finally(() => signalFamily(pid, 'SIGCONT'));
}

/** Takes all connections, terminates those of the service and takes the freed ones, in competition with the service. */
async function takeAllConnections({ url }: Target): Promise<void> {
  await using taken = new AsyncDisposableStack();
  const own = `${url}?application_name=${OWN}`;
  let fullSinceMs: number | null = null;
  while (fullSinceMs === null || performance.now() - fullSinceMs < FULL_MS) {
    const opened = await Promise.allSettled(Array.from({ length: CONNECTING_AT_ONCE }, () => openPostgres(own)));
    const connections = opened.flatMap((end) => (end.status === 'fulfilled' ? [taken.use(end.value)] : []));
    const refusals = opened.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
    if (refusals.some(({ code }) => code !== '53300')) throw refusals[0];
    if (refusals.length === 0 || fullSinceMs !== null) continue;
    fullSinceMs = performance.now();
    const all = `select pg_terminate_backend(pid) from pg_stat_activity where ${OTHERS} and application_name <> '${OWN}'`;
    await connections[0]?.run(all);
  }
}
