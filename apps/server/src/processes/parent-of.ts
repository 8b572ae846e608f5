import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const hasProc = existsSync('/proc/self/stat');

/** The parent's id of a process; null when there is no such process. */
export function parentOf(id: number): number | null {
  // The name before state and parent is in parentheses and may itself contain blanks and parentheses.
  const parent = hasProc
    ? readProcess(id, 'stat').split(')').at(-1)?.trim().split(' ')[1]
    : ps(['-o', 'ppid=', '-p', String(id)]);
  return Number(parent) > 0 ? Number(parent) : null;
}

/** Whether a process is a shell that runs one command, as npm puts between itself and what it runs. */
export function isShellOfCommand(id: number): boolean {
  const line = hasProc ? readProcess(id, 'cmdline').replaceAll('\0', ' ') : ps(['-o', 'args=', '-p', String(id)]);
  return /^\S*sh -c /.test(line);
}

function readProcess(id: number, name: 'stat' | 'cmdline'): string {
  try {
    return readFileSync(`/proc/${id}/${name}`, 'utf8');
  } catch {
    return '';
  }
}

function ps(args: readonly string[]): string {
  try {
    return execFileSync('ps', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return '';
  }
}
