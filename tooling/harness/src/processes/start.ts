import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';

/** How a process ended: its exit code, or the signal that ended it. */
export interface Ending {
  readonly code: number | null;
  readonly signal: string | null;
  readonly afterMs: number;
}

/** A child process. Disposing of it kills it if it still runs. */
export interface RunningProcess extends AsyncDisposable {
  readonly pid: number;
  readonly ended: Promise<Ending>;
  /** The output so far, stdout and stderr together. */
  output(): string;
  /** The standard error output so far; with `outputPath`, that of both streams. */
  errorOutput(): string;
  /** Sends a signal, SIGTERM by default; resolves once the process has ended. */
  stop(signal?: NodeJS.Signals): Promise<Ending>;
}

/** Environment variables and working folder of a process. PATH is passed on; nothing else is. */
export interface ProcessOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** The file that both output streams are appended to. Without it this process reads them, at the cost of its CPU time. */
  readonly outputPath?: string;
  /** The file that the standard output alone is appended to. */
  readonly stdoutPath?: string;
}

/** Starts a program. It is killed at the latest when this process exits. */
export function startProcess(
  [program, ...args]: readonly [string, ...string[]],
  { env, cwd, outputPath, stdoutPath = outputPath }: ProcessOptions,
): RunningProcess {
  const stdout = stdoutPath === undefined ? 'pipe' : openSync(stdoutPath, 'a');
  const stderr = outputPath === undefined ? 'pipe' : stdout;
  const child = spawn(program, args, {
    cwd,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', stdout, stderr],
  });
  if (typeof stdout === 'number') closeSync(stdout);
  const startedMs = performance.now();
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
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
    ...outputOf(child, outputPath),
    stop,
    [Symbol.asyncDispose]: async () => void (await stop('SIGKILL')),
  };
}

function outputOf(
  { stdout, stderr }: ChildProcess,
  path: string | undefined,
): Pick<RunningProcess, 'output' | 'errorOutput'> {
  if (path !== undefined) {
    const output = () => readFileSync(path, 'utf8');
    return { output, errorOutput: output };
  }
  let output = '';
  let errorOutput = '';
  stdout?.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  stderr?.setEncoding('utf8').on('data', (text) => {
    output += text;
    errorOutput += text;
  });
  return { output: () => output, errorOutput: () => errorOutput };
}
