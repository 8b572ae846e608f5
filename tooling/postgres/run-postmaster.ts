import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { killFamily } from './kill-family.ts';
import type { ServerFolder } from './server-folder.ts';
import type { Watch } from './watch-over.ts';

export type StopMode = 'fast' | 'immediate' | 'kill';

/** A server's first process and all that it started. */
export interface Postmaster {
  /** Null once it has ended. */
  pid(): number | null;
  /** Resolves once none of the processes is left. */
  stop(mode: StopMode): Promise<void>;
}

/** Nothing of ours: a PGDATA or a language of the machine would change what is tested. */
export const ENVIRONMENT = { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' };

const READY_MS = 120_000;
const STOPPED_MS = 60_000;
const POLL_MS = 10;
const LOG_CHARS = 4_000;
const SIGNALS = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const;

/** Starts the server on the data of the folder; resolves when it accepts connections. */
export async function runPostmaster(
  folder: ServerFolder,
  settings: Readonly<Record<string, string>>,
  watch: Watch,
): Promise<Postmaster> {
  const { pid, ended, kill, log } = spawnPostmaster(folder, settings, watch);
  const stop: Postmaster['stop'] = async (mode) => {
    if (mode === 'kill') killFamily(pid());
    else kill(SIGNALS[mode]);
    if (await isIn(ended, STOPPED_MS)) return;
    killFamily(pid());
    throw new Error(`PostgreSQL did not stop (${mode}).\n${log()}`);
  };
  const givesUpMs = performance.now() + READY_MS;
  while (!isReady(join(folder.path, 'data/postmaster.pid'), pid())) {
    if (pid() === null) {
      await ended;
      throw new Error(`PostgreSQL ended while it started.\n${log()}`);
    }
    if (performance.now() > givesUpMs) {
      await stop('kill');
      throw new Error(`PostgreSQL did not become ready.\n${log()}`);
    }
    await delay(POLL_MS);
  }
  return { pid, stop };
}

function spawnPostmaster(
  { path, native, user }: ServerFolder,
  settings: Readonly<Record<string, string>>,
  watch: Watch,
) {
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(join(native, 'bin/postgres'), ['-D', join(path, 'data'), ...flags], {
    ...user,
    cwd: path,
    env: ENVIRONMENT,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  watch.set(child.pid ?? null);
  child.once('exit', () => watch.set(null));
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    log = (log + text).slice(-LOG_CHARS);
  });
  const ended = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      log += error.message;
      resolve();
    });
    // All of its processes write to its one stream, which is closed when the last of them is gone.
    child.once('close', () => resolve());
  });
  return {
    pid: () => (child.exitCode === null && child.signalCode === null ? (child.pid ?? null) : null),
    ended,
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    log: () => log,
  };
}

// As pg_ctl does it. Of a server that was killed, the file is still there, with another process id.
function isReady(pidFile: string, pid: number | null): boolean {
  if (!existsSync(pidFile)) return false;
  const lines = readFileSync(pidFile, 'utf8').split('\n');
  return lines[0] === String(pid) && lines[7]?.trim() === 'ready';
}

async function isIn(ended: Promise<void>, limitMs: number): Promise<boolean> {
  const waiting = new AbortController();
  try {
    return await Promise.race([ended.then(() => true), delay(limitMs, false, { signal: waiting.signal })]);
  } finally {
    waiting.abort();
  }
}
