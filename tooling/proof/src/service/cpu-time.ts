import { readFileSync } from 'node:fs';
import type { ProcessSlot } from './process-slot.ts';

/** Linux counts in hundredths of a second, whatever the machine. */
const TICKS_PER_SECOND = 100;

/** The CPU seconds of each process since its start, by its name; 0 for a process that has ended. */
export type CpuSeconds = Readonly<Record<string, number>>;

export function readCpuSeconds(slots: readonly ProcessSlot[]): CpuSeconds {
  return Object.fromEntries(slots.map(({ name, process: { pid } }) => [name, cpuSecondsOf(pid)]));
}

function cpuSecondsOf(pid: number): number {
  try {
    // The name of the command, in parentheses, may contain spaces. utime and stime are the 14th and 15th field.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return 0;
  }
}
