import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Kills a child process that has not been reaped yet, and the child's children. */
export function killFamily(pid: number | null): void {
  if (pid === null) return;
  // A stopped parent neither starts another child nor signals its children.
  send(pid, 'SIGSTOP');
  for (const child of childrenOf(pid)) send(child, 'SIGKILL');
  send(pid, 'SIGKILL');
}

/** Stops or continues a child process and the child's children. */
export function signalFamily(pid: number, signal: 'SIGSTOP' | 'SIGCONT'): void {
  send(pid, signal);
  for (const child of childrenOf(pid)) send(child, signal);
}

function childrenOf(pid: number): readonly number[] {
  try {
    return idsIn(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8'));
  } catch {
    const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
    return rows.map(idsIn).flatMap(([child, parent]) => (child !== undefined && parent === pid ? [child] : []));
  }
}

const idsIn = (text: string): readonly number[] => (text.match(/\d+/g) ?? []).map(Number);

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended already.
  }
}
