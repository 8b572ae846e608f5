import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Kills a child process that has not been reaped yet, and the child's children. */
export function killFamily(pid: number | null): void {
  if (pid === null) return;
  // A stopped parent neither starts another child nor signals its children.
  kill(pid, 'SIGSTOP');
  for (const child of childrenOf(pid)) kill(child, 'SIGKILL');
  kill(pid, 'SIGKILL');
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

function kill(pid: number, signal: 'SIGSTOP' | 'SIGKILL'): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended already.
  }
}
