import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type AccessAdminClient, createClient } from '@access-admin/client';

/** The checkout, with a slash at its end. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const READY_MS = 20_000;
const POLL_MS = 25;

/** How a process ended: its exit code, or the signal that ended it. */
export interface Ending {
  readonly code: number | null;
  readonly signal: string | null;
  readonly afterMs: number;
}

/** A process of the product. Disposing of it kills it, should it still run. */
export interface RunningProcess extends AsyncDisposable {
  readonly pid: number;
  readonly ended: Promise<Ending>;
  /** What it has written so far, to both of its streams. */
  output(): string;
  /** Sends it a signal; resolves once it has ended. */
  stop(signal?: NodeJS.Signals): Promise<Ending>;
}

type Environment = Readonly<Record<string, string>>;

export interface StartOptions {
  readonly env: Environment;
  readonly cwd: string;
  /** The file that both output streams are appended to. Without it they are read by this process, which costs it time. */
  readonly outputPath?: string;
}

/** Starts a program with nothing in its environment but PATH and what is given. */
export function startProcess(
  command: readonly [string, ...string[]],
  { env, cwd, outputPath }: StartOptions,
): RunningProcess {
  const [program, ...args] = command;
  const stream = outputPath === undefined ? 'pipe' : openSync(outputPath, 'a');
  const child = spawn(program, args, {
    cwd,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', stream, stream],
  });
  if (typeof stream === 'number') closeSync(stream);
  const startedMs = performance.now();
  // Should the test that started it never come to its end.
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text) => (output += text));
  const ended = new Promise<Ending>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal, afterMs: performance.now() - startedMs }));
  });
  ended.finally(() => process.off('exit', kill)).catch(() => {});
  const stop: RunningProcess['stop'] = async (signal = 'SIGTERM') => {
    const sentMs = performance.now();
    child.kill(signal);
    return { ...(await ended), afterMs: performance.now() - sentMs };
  };
  return {
    pid: child.pid ?? 0,
    ended,
    output: () => (outputPath === undefined ? output : readFileSync(outputPath, 'utf8')),
    stop,
    [Symbol.asyncDispose]: async () => void (await stop('SIGKILL')),
  };
}

/** An API process that is ready, with a client of the bootstrap credentials. */
export interface RunningApi extends RunningProcess {
  readonly baseAddress: string;
  readonly client: AccessAdminClient;
}

/** One service: a database of its own and any number of processes on it, all gone when it is disposed of. */
export interface Service extends AsyncDisposable {
  readonly folder: string;
  readonly databaseUrl: string;
  readonly credentials: { readonly clientId: string; readonly clientSecret: string };
  startApi(env?: Environment): Promise<RunningApi>;
  startWorker(env?: Environment): RunningProcess;
}

export interface ServiceOptions {
  /** A fresh SQLite file when left out. */
  readonly databaseUrl?: string;
  /** The root folder of the built checkout whose API and worker are started: this one when left out. */
  readonly checkout?: string;
  /** Sends the output of the processes to `api.log` and `worker.log` in the service's folder. */
  readonly logsToFiles?: boolean;
}

/** Prepares a service; starts nothing yet. */
export function openService({ checkout = ROOT, logsToFiles = false, ...options }: ServiceOptions = {}): Service {
  const folder = mkdtempSync(join(tmpdir(), 'access-admin-e2e-'));
  const credentials = { clientId: 'e2e', clientSecret: randomUUID() };
  const databaseUrl = options.databaseUrl ?? `sqlite:${join(folder, 'access-admin.db')}`;
  const common = { DATABASE_URL: databaseUrl, LOG_LEVEL: 'info' };
  const processes: RunningProcess[] = [];
  const start = (app: 'api' | 'worker', env: Environment) => {
    const output = logsToFiles ? { outputPath: join(folder, `${app}.log`) } : {};
    const running = startApp(app, { env: { ...common, ...env }, cwd: folder, checkout, ...output });
    processes.push(running);
    return running;
  };
  return {
    folder,
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
      const client = createClient({ baseAddress, ...credentials });
      await becomesReady(client, running);
      return { ...running, baseAddress, client };
    },
    startWorker: (env = {}) => start('worker', env),
    async [Symbol.asyncDispose]() {
      await Promise.all(processes.map((running) => running[Symbol.asyncDispose]()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** As `npm start` starts it. */
const NODE_OPTIONS: Readonly<Record<'api' | 'worker', readonly string[]>> = {
  api: ['--max-semi-space-size=64'],
  worker: [],
};

/** Starts API or worker from its build, on the Node that runs the tests. */
export const startApp = (
  app: 'api' | 'worker',
  { checkout = ROOT, ...options }: StartOptions & { readonly checkout?: string },
): RunningProcess =>
  startProcess([process.execPath, ...NODE_OPTIONS[app], join(checkout, 'apps', app, 'dist/main.js')], options);

/** A port of this machine that nothing listens on. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        address !== null && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}

async function becomesReady(client: AccessAdminClient, running: RunningProcess): Promise<void> {
  let ended = false;
  running.ended.then(
    () => (ended = true),
    () => (ended = true),
  );
  for (let waitedMs = 0; waitedMs < READY_MS && !ended; waitedMs += POLL_MS) {
    if (await client.health.ready({ timeoutMs: 1000 })) return;
    await delay(POLL_MS);
  }
  throw new Error(`the API ${ended ? 'ended' : 'is not ready'}:\n${running.output()}`);
}
