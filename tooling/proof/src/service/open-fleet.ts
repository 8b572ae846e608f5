import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type AccessAdminClient, createClient } from '@access-admin/client';
import { type Ending, freePort, type RunningProcess, startApp } from '@access-admin/harness';
import type { Engine } from '../campaign/campaign.ts';
import { type OwnDatabase, openDatabase } from './open-database.ts';

const READY_MS = 30_000;
const POLL_MS = 20;

type App = 'api' | 'worker';
type Environment = Readonly<Record<string, string>>;

/** A place that one process after the other takes. */
export interface ProcessSlot {
  /** Such as `api 1`. */
  readonly name: string;
  readonly process: RunningProcess;
  /** Ends its process with a signal and starts the next one as soon as it has ended. */
  replace(signal: NodeJS.Signals): Promise<Ending>;
}

export interface ApiSlot extends ProcessSlot {
  readonly baseAddress: string;
}

/** A database of its own with API and worker processes on it. Disposing of it ends and removes everything. */
export interface Fleet extends AsyncDisposable {
  readonly database: OwnDatabase;
  readonly apis: readonly ApiSlot[];
  readonly workers: readonly ProcessSlot[];
  /** Processes that ended although nobody had told them to. */
  readonly crashed: readonly string[];
  /** A client of an API with every scope; retries and all else are as the SDK has them. */
  connect(api: ApiSlot, retries?: number): AccessAdminClient;
  /** Resolves once every API answers that it is ready. */
  becomesReady(): Promise<void>;
}

export interface FleetPlan {
  readonly apis: number;
  readonly workers: number;
  /** What all processes find in their environment, besides what they need. */
  readonly env?: (name: string) => Environment;
}

/** Starts a fleet and resolves once it is ready. */
export async function openFleet(engine: Engine, plan: FleetPlan): Promise<Fleet> {
  await using stack = new AsyncDisposableStack();
  const database = stack.use(await openDatabase(engine));
  const folder = mkdtempSync(join(tmpdir(), 'access-admin-proof-'));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  const credentials = { clientId: 'proof', clientSecret: randomUUID() };
  const crashed: string[] = [];
  const take = (app: App, number: number, own: Environment): ProcessSlot => {
    const name = `${app} ${number}`;
    const env = { DATABASE_URL: database.url, LOG_LEVEL: 'warn', ...own, ...plan.env?.(name) };
    const slot = openSlot(
      name,
      () => startApp(app, { env, cwd: folder }),
      (text) => crashed.push(text),
    );
    stack.defer(slot.clear);
    return slot;
  };
  const apis: ApiSlot[] = [];
  for (let number = 0; number < plan.apis; number++) {
    const PORT = String(await freePort());
    const bootstrap = { BOOTSTRAP_CLIENT_ID: credentials.clientId, BOOTSTRAP_CLIENT_SECRET: credentials.clientSecret };
    const slot = take('api', number, { ...bootstrap, PORT, RATE_LIMIT: 'off' });
    apis.push(Object.assign(slot, { baseAddress: `http://127.0.0.1:${PORT}` }));
    // The first one makes the schema, and tokens are signed for the address that was first.
    if (number === 0) await becomesReady(apis, crashed);
  }
  const workers = Array.from({ length: plan.workers }, (_, number) => take('worker', number, {}));
  await becomesReady(apis, crashed);
  const owned = stack.move();
  return {
    database,
    apis,
    workers,
    crashed,
    connect: ({ baseAddress }, retries) => createClient({ baseAddress, ...credentials, retries }),
    becomesReady: () => becomesReady(apis, crashed),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function openSlot(
  name: string,
  start: () => RunningProcess,
  reportCrash: (text: string) => void,
): ProcessSlot & { clear(): Promise<void> } {
  let isCleared = false;
  let process = begin();

  function begin(): RunningProcess {
    const started = start();
    started.ended.then(
      ({ code, signal }) => {
        if (isCleared || started !== process) return;
        reportCrash(`${name} ended by itself (${signal ?? code}): ${started.output().trim().slice(-500)}`);
        process = begin();
      },
      (error: unknown) => reportCrash(`${name} did not start: ${error}`),
    );
    return started;
  }

  return {
    name,
    get process() {
      return process;
    },
    async replace(signal) {
      const ending = process;
      // From here on its end is no fall.
      const idle: RunningProcess = { ...ending };
      process = idle;
      const how = await ending.stop(signal);
      if (process === idle && !isCleared) process = begin();
      return how;
    },
    async clear() {
      isCleared = true;
      await process[Symbol.asyncDispose]();
    },
  };
}

/** Sends the processes of some seats a signal that does not end them. */
export function signalAll(slots: readonly ProcessSlot[], signal: NodeJS.Signals): void {
  for (const slot of slots) process.kill(slot.process.pid, signal);
}

async function becomesReady(apis: readonly ApiSlot[], crashed: readonly string[]): Promise<void> {
  for (const { baseAddress, name } of apis) {
    const { health } = createClient({ baseAddress, token: 'none' });
    const startMs = performance.now();
    while (!(await health.ready({ timeoutMs: 1000 }))) {
      if (performance.now() - startMs > READY_MS) throw new Error(`${name} is not ready; ${crashed.join('; ')}`);
      await delay(POLL_MS);
    }
  }
}
