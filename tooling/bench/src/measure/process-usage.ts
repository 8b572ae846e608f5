import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** CPU time used by a process in seconds, from Linux's /proc. */
export function cpuSecondsOf(pid: number): number {
  const [user = 0, system = 0] = cpuTicksOf(pid);
  return (user + system) / TICKS_PER_SECOND;
}

/** CPU time of a process of one thread in milliseconds, exact where clock ticks would be too coarse; 0 where it has ended. */
export function onCpuMsOf(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return 0;
  }
}

/** Seconds in which the main thread of a process could have worked but other work had the processors. */
export const queuedSecondsOf = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e9;

/** CPU time in seconds that a process and its children have used, those that have ended among them. */
export function cpuSecondsOfFamily(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').match(/\d+/g) ?? [];
  const ticks = cpuTicksOf(pid).reduce((sum, each) => sum + each, 0);
  return children.reduce((sum, child) => sum + secondsOfChild(Number(child)), ticks / TICKS_PER_SECOND);
}

/** 0 for a child that has ended in between. */
function secondsOfChild(pid: number): number {
  try {
    return cpuSecondsOf(pid);
  } catch {
    return 0;
  }
}

/** User and system time of a process, then those of its children that have ended. */
function cpuTicksOf(pid: number): readonly number[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The process name in parentheses may contain spaces; the numbered fields follow it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).map(Number);
}
