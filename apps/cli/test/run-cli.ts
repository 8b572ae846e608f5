import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '@access-admin/harness';

/** The built program. */
export const PROGRAM = join(ROOT, 'apps/cli/dist/main.js');

/** How a run of the command ended. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** How the command is run. */
export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Called with what has been written to standard error so far. */
  readonly onNote?: (text: string, stop: () => void) => void;
}

/** Runs the built command in a process of its own, with nothing of our environment. */
export function runCli(args: readonly string[], { cwd = ROOT, env = {}, onNote }: RunOptions = {}): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [PROGRAM, ...args], {
      cwd,
      env: { HOME: cwd, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      stderr += text;
      onNote?.(stderr, () => child.kill('SIGINT'));
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}
