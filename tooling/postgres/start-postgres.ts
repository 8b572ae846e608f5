import { randomUUID } from 'node:crypto';
import { createDatabase, type TestDatabase } from './create-database.ts';
import { findBinaries } from './find-binaries.ts';
import { freePort } from './free-port.ts';
import { initializeData } from './initialize-data.ts';
import { runPostmaster, type StopMode } from './run-postmaster.ts';
import { makeServerFolder } from './server-folder.ts';
import { watchOver } from './watch-over.ts';

/** A PostgreSQL server of our own on this machine. Disposing of it leaves neither a process nor a file behind. */
export interface PostgresServer extends AsyncDisposable {
  /** postgres://… of a superuser, database `postgres`. */
  readonly url: string;
  /** A new, empty database on it. */
  createDatabase(): Promise<TestDatabase>;
  /** Null when it is not running. */
  pid(): number | null;
  /** Resolves once none of its processes is left. `kill` ends every one of them by SIGKILL. */
  stop(mode: StopMode): Promise<void>;
  /** Starts it again on the same data and port; resolves when it accepts connections. */
  start(): Promise<void>;
}

type Settings = Readonly<Record<string, string>>;

// Everything else is as it comes, thus durable. What is left in shared memory after a kill lies with the data.
const SETTINGS: Settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '300',
  dynamic_shared_memory_type: 'mmap',
};

/** Starts a server with fresh data; says why where the platform has no binary. */
export async function startPostgres({
  settings = {},
  inMemory = false,
}: {
  readonly settings?: Settings;
  /** Keeps the data in memory where the platform has room for it: ten times as fast, gone with the machine. */
  readonly inMemory?: boolean;
} = {}): Promise<PostgresServer | { readonly unavailable: string }> {
  const binaries = findBinaries();
  if ('unavailable' in binaries) return binaries;
  const folder = makeServerFolder(binaries.native, inMemory);
  const watch = watchOver(folder.path);
  const password = randomUUID();
  let postmaster: Awaited<ReturnType<typeof runPostmaster>> | null = null;
  const stop: PostgresServer['stop'] = async (mode) => await postmaster?.stop(mode);
  const end = async () => {
    await stop('immediate');
    await watch.end();
  };
  try {
    await initializeData(folder, password, watch);
    const port = await freePort();
    const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
    const start = async () => {
      if (postmaster?.pid() != null) throw new Error('PostgreSQL is running already.');
      // Should someone else have ended it: until the last of its processes is gone.
      await stop('kill');
      postmaster = await runPostmaster(folder, { ...SETTINGS, ...settings, port: String(port) }, watch);
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
