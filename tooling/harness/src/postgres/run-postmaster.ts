import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { killFamily } from '../processes/kill-family.ts';
import type { Watchdog } from '../processes/start-watchdog.ts';
import type { ServerFolder } from './server-folder.ts';

export type StopMode = 'fast' | 'immediate' | 'kill';

/** The first process of a server, together with the processes that it started. */
export interface Postmaster {
  /** Null once it has ended. */
  pid(): number | null;
  /** Resolves once all of its processes have ended. */
  stop(mode: StopMode): Promise<void>;
}

/** A fixed environment: a PGDATA or a locale of the machine would change what is tested. */
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
  watchdog: Watchdog,
): Promise<Postmaster> {
  const { pid, ended, kill, log } = spawnPostmaster(folder, settings, watchdog);
  const stop: Postmaster['stop'] = async (mode) => {
    if (mode === 'kill') killFamily(pid());
    else kill(SIGNALS[mode]);
    if (await endsWithin(ended, STOPPED_MS)) return;
    killFamily(pid());
    throw new Error(`PostgreSQL did not stop (${mode}).\n${log()}`);
  };
  const deadlineMs = performance.now() + READY_MS;
  while (!isReady(join(folder.path, 'data/postmaster.pid'), pid())) {
    if (pid() === null) {
      await ended;
      throw new Error(`PostgreSQL ended while it started.\n${log()}`);
    }
    if (performance.now() > deadlineMs) {
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
  watchdog: Watchdog,
) {
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(join(native, 'bin/postgres'), ['-D', join(path, 'data'), ...flags], {
    ...user,
    cwd: path,
    env: ENVIRONMENT,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  watchdog.watch(child.pid ?? null);
  child.once('exit', () => watchdog.watch(null));
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    log = (log + text).slice(-LOG_CHARS);
  });
  const ended = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      log += error.message;
      resolve();
    });
    // All of its processes share this stream; it closes when the last of them has ended.
    child.once('close', () => resolve());
  });
  return {
    pid: () => (child.exitCode === null && child.signalCode === null ? (child.pid ?? null) : null),
    ended,
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    log: () => log,
  };
}

// The same test as in pg_ctl. A killed server leaves the file behind, with another process id in it.
function isReady(pidFile: string, pid: number | null): boolean {
  const lines = readIfPresent(pidFile).split('\n');
  return lines[0] === String(pid) && lines[7]?.trim() === 'ready';
}

/** The content of a file, or nothing: the server may remove it at any moment. */
function readIfPresent(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  }
}

async function endsWithin(ended: Promise<void>, limitMs: number): Promise<boolean> {
  const waiting = new AbortController();
  try {
    return await Promise.race([ended.then(() => true), delay(limitMs, false, { signal: waiting.signal })]);
  } finally {
    waiting.abort();
  }
}
