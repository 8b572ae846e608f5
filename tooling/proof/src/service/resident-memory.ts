import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { ProcessSlot } from './process-slot.ts';

/** Makes a process collect its garbage at SIGUSR2. */
export const COLLECTOR = `--import=${new URL('./collect-garbage.ts', import.meta.url).href}`;

const COLLECTING_MS = 400;

/** The resident memory of each process in bytes, by its name; 0 for a process that has ended. */
export type ResidentMemory = Readonly<Record<string, number>>;

export function readResident(slots: readonly ProcessSlot[]): ResidentMemory {
  return Object.fromEntries(slots.map(({ name, process: { pid } }) => [name, residentOf(pid)]));
}

/** Lets processes that were started with the collector collect their garbage first. */
export async function readHeld(slots: readonly ProcessSlot[]): Promise<ResidentMemory> {
  for (const { process: running } of slots) process.kill(running.pid, 'SIGUSR2');
  await delay(COLLECTING_MS);
  return readResident(slots);
}

function residentOf(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
