import { type ChildProcess, spawn } from 'node:child_process';
import cluster from 'node:cluster';

/** What a process runs, on this Node. */
export interface Program {
  readonly nodeOptions: readonly string[];
  readonly module: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether several processes of the group listen at the ports of this one. */
  readonly sharesPorts: boolean;
}

/** How a process ended: its exit code, and the signal that ended it. */
export interface Ending {
  readonly code: number;
  readonly signal: NodeJS.Signals | null;
}

export interface RunOptions {
  readonly stop: AbortSignal;
  readonly onStart: (child: ChildProcess) => void;
}

/** Slightly longer than the ten seconds in which API and worker stop. */
const GRACE_MS = 12_000;

/**
 * Runs a program of ours to its end. It notices our end by its IPC channel. Once `stop` is aborted it is terminated, then killed.
 * It stays in our process group, so that a signal to the group reaches it.
 */
export function run(program: Program, { stop, onStart }: RunOptions): Promise<Ending> {
  const child = start(program);
  onStart(child);
  let killing: NodeJS.Timeout | undefined;
  const end = () => {
    child.kill('SIGTERM');
    killing = setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
  };
  if (stop.aborted) end();
  else stop.addEventListener('abort', end, { once: true });
  return new Promise<Ending>((resolve) => {
    // An error of one that has started is a message, or a connection, that it did not take any more.
    child.on('error', () => child.pid === undefined && resolve({ code: 127, signal: null }));
    child.once('close', (code, signal) => resolve({ code: code ?? 1, signal }));
  }).finally(() => {
    stop.removeEventListener('abort', end);
    clearTimeout(killing);
  });
}

const STDIO = ['ignore', 'inherit', 'inherit', 'ipc'] as const;

function start({ nodeOptions, module, env, sharesPorts }: Program): ChildProcess {
  if (!sharesPorts) return spawn(process.execPath, [...nodeOptions, module], { env, stdio: [...STDIO] });
  cluster.setupPrimary({ exec: module, execArgv: [...nodeOptions], args: [], stdio: [...STDIO] });
  const member = cluster.fork(env);
  // It repeats the errors of its process.
  member.on('error', () => {});
  return member.process;
}
