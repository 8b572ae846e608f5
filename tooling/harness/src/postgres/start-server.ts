import { randomUUID } from 'node:crypto';
import { freePort } from '../machine/free-port.ts';
import { startWatchdog } from '../processes/start-watchdog.ts';
import { createDatabase, type TestDatabase } from './create-database.ts';
import { findBinaries } from './find-binaries.ts';
import { initializeData } from './initialize-data.ts';
import { runPostmaster, type StopMode } from './run-postmaster.ts';
import { makeServerFolder } from './server-folder.ts';

/** A PostgreSQL server on this machine. Disposing of it ends its processes and removes its files. */
export interface PostgresServer extends AsyncDisposable {
  /** postgres://… of a superuser, database `postgres`. */
  readonly url: string;
  /** Creates an empty database. */
  createDatabase(): Promise<TestDatabase>;
  /** Null when it is not running. */
  pid(): number | null;
  /** Resolves once all of its processes have ended. `kill` sends SIGKILL to each of them. */
  stop(mode: StopMode): Promise<void>;
  /** Starts it again on the same data and port; resolves when it accepts connections. */
  start(): Promise<void>;
}

type Settings = Readonly<Record<string, string>>;

// Other settings keep their defaults, which are durable. mmap keeps shared memory beside the data, where it is removed after a kill.
const SETTINGS: Settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '300',
  dynamic_shared_memory_type: 'mmap',
};

/** Starts a server with fresh data; returns the reason where the platform has no binary. */
export async function startPostgres({
  settings = {},
  inMemory = false,
}: {
  readonly settings?: Settings;
  /** Keeps the data in memory where the platform has room for it: ten times as fast, and not durable. */
  readonly inMemory?: boolean;
} = {}): Promise<PostgresServer | { readonly unavailable: string }> {
  const binaries = findBinaries();
  if ('unavailable' in binaries) return binaries;
  const folder = makeServerFolder(binaries.native, inMemory);
  const watchdog = startWatchdog(folder.path);
  const password = randomUUID();
  let postmaster: Awaited<ReturnType<typeof runPostmaster>> | null = null;
  const stop: PostgresServer['stop'] = async (mode) => await postmaster?.stop(mode);
  const end = async () => {
    await stop('immediate');
    await watchdog.end();
  };
  try {
    await initializeData(folder, password, watchdog);
    const port = await freePort();
    const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
    const start = async () => {
      if (postmaster?.pid() != null) throw new Error('PostgreSQL is running already.');
      // If the server was ended from outside, processes of it may still run.
      await stop('kill');
      postmaster = await runPostmaster(folder, { ...SETTINGS, ...settings, port: String(port) }, watchdog);
    };
    await start();
    return {
      url,
      createDatabase: () => createDatabase(url),
      pid: () => postmaster?.pid() ?? null,
      stop,
      start,
      [Symbol.asyncDispose]: end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}
