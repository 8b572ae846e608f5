import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type AccessAdminClient, createClient, type Fetch } from '@access-admin/client';
import { freePort } from '../machine/free-port.ts';
import { openFolder } from '../machine/open-folder.ts';
import { ROOT } from '../machine/root.ts';
import type { RunningProcess } from '../processes/start.ts';
import { type App, startApp } from '../processes/start-app.ts';

const READY_MS = 60_000;
const POLL_MS = 25;

type Environment = Readonly<Record<string, string>>;

/** An API process that is ready, with a client of the bootstrap credentials. */
export interface RunningApi extends RunningProcess {
  readonly baseAddress: string;
  readonly client: AccessAdminClient;
}

/** API and worker processes on one database. Disposing of it ends them and removes their folder. */
export interface Service extends AsyncDisposable {
  readonly folder: string;
  readonly databaseUrl: string;
  readonly credentials: { readonly clientId: string; readonly clientSecret: string };
  startApi(env?: Environment): Promise<RunningApi>;
  startWorker(env?: Environment): RunningProcess;
}

export interface ServiceOptions {
  /** By default a fresh SQLite file. */
  readonly databaseUrl?: string;
  /** The root folder of the built checkout whose API and worker are started; by default this checkout. */
  readonly checkout?: string;
  /** Appends the output of the processes to `api.log` and `worker.log` in the service's folder. */
  readonly logsToFiles?: boolean;
}

/** Prepares a service; starts nothing yet. */
export function openService({ checkout = ROOT, logsToFiles = false, ...options }: ServiceOptions = {}): Service {
  const folder = openFolder('service');
  const credentials = { clientId: 'e2e', clientSecret: randomUUID() };
  const databaseUrl = options.databaseUrl ?? `sqlite:${join(folder.path, 'access-admin.db')}`;
  const common = { DATABASE_URL: databaseUrl, LOG_LEVEL: 'info' };
  const processes: RunningProcess[] = [];
  const start = (app: App, env: Environment) => {
    const output = logsToFiles ? { outputPath: join(folder.path, `${app}.log`) } : {};
    const running = startApp(app, { env: { ...common, ...env }, cwd: folder.path, checkout, ...output });
    processes.push(running);
    return running;
  };
  return {
    folder: folder.path,
    databaseUrl,
    credentials,
    async startApi(env = {}) {
      const PORT = env['PORT'] ?? String(await freePort());
      const bootstrap = {
        BOOTSTRAP_CLIENT_ID: credentials.clientId,
        BOOTSTRAP_CLIENT_SECRET: credentials.clientSecret,
      };
      const running = start('api', { ...bootstrap, RATE_LIMIT: 'off', ...env, PORT });
      const baseAddress = `http://127.0.0.1:${PORT}`;
      await becomesReady(baseAddress, running);
      return { ...running, baseAddress, client: createClient({ baseAddress, ...credentials }) };
    },
    startWorker: (env = {}) => start('worker', env),
    async [Symbol.asyncDispose]() {
      await Promise.all(processes.map((running) => running[Symbol.asyncDispose]()));
      folder[Symbol.dispose]();
    },
  };
}

/** Keeps no connection open: an API that is told to end would wait four seconds for it. */
const fetchOnce: Fetch = (url, init) => fetch(url, { ...init, headers: { ...init.headers, connection: 'close' } });

/** Resolves once `/readyz` succeeds; rejects with the process's output when it ends, or does not become ready in a minute. */
export async function becomesReady(baseAddress: string, running: RunningProcess): Promise<void> {
  const { health } = createClient({ baseAddress, token: 'none', fetch: fetchOnce });
  let hasEnded = false;
  const setEnded = () => {
    hasEnded = true;
  };
  running.ended.then(setEnded, setEnded);
  const startMs = performance.now();
  while (!hasEnded && performance.now() - startMs < READY_MS) {
    if (await health.ready({ timeoutMs: 1000 })) return;
    await delay(POLL_MS);
  }
  throw new Error(`the API ${hasEnded ? 'ended' : 'is not ready'}:\n${running.output()}`);
}
