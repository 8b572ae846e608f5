import { spawn } from 'node:child_process';

/** How a process ended: its exit code, and the signal that ended it. */
export interface Ending {
  readonly code: number;
  readonly signal: NodeJS.Signals | null;
}

export interface RunOptions {
  readonly stop: AbortSignal;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Slightly longer than the ten seconds in which API and worker stop. */
const GRACE_MS = 12_000;

/**
 * Runs a program of ours to its end, on this Node. It notices our end by its IPC channel. Once `stop` is aborted it is
 * terminated, then killed. It stays in our process group, so that a signal to the group reaches it.
 */
export function run(argv: readonly string[], { stop, env }: RunOptions): Promise<Ending> {
  const child = spawn(process.execPath, argv, { env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  let killing: NodeJS.Timeout | undefined;
  const end = () => {
    child.kill('SIGTERM');
    killing = setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
  };
  if (stop.aborted) end();
  else stop.addEventListener('abort', end, { once: true });
  return new Promise<Ending>((resolve) => {
    child.once('error', () => resolve({ code: 127, signal: null }));
    child.once('close', (code, signal) => resolve({ code: code ?? 1, signal }));
  }).finally(() => {
    stop.removeEventListener('abort', end);
    clearTimeout(killing);
  });
}
