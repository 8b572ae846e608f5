import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@access-admin/harness';

/** The built program. */
export const PROGRAM = join(ROOT, 'apps/cli/dist/main.cjs');

/** The version that it tells. */
export const VERSION: string = JSON.parse(readFileSync(join(ROOT, 'apps/cli/package.json'), 'utf8')).version;

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
  /** Interrupts the command, as Ctrl-C does, once this is true of what it has written to standard output. */
  readonly stopsWhen?: (stdout: string) => boolean;
}

/** Runs the built command in a process of its own, with nothing of our environment. */
export function runCli(args: readonly string[], { cwd = ROOT, env = {}, stopsWhen }: RunOptions = {}): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [PROGRAM, ...args], {
      cwd,
      env: { HOME: cwd, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    let interrupted = false;
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text;
      // A second interrupt would end the process at once.
      if (interrupted || !stopsWhen?.(stdout)) return;
      interrupted = true;
      child.kill('SIGINT');
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      stderr += text;
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}
