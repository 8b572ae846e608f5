import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openFolder } from '@access-admin/harness';

export type Clocks = ReturnType<typeof openClocks>;

/** The clocks of the processes of a fleet. */
export function openClocks() {
  const folder = openFolder('proof');
  const preload = new URL('./shift-clock.ts', import.meta.url).href;
  const offsets = new Map<string, number>();
  const fileOf = (name: string) => join(folder.path, name.replace(' ', '-'));
  const set = (name: string, offsetMs: number) => {
    offsets.set(name, offsetMs);
    writeFileSync(`${fileOf(name)}.new`, String(offsetMs));
    renameSync(`${fileOf(name)}.new`, fileOf(name));
  };
  return {
    envOf(name: string) {
      set(name, 0);
      return { CLOCK_FILE: fileOf(name), NODE_OPTIONS: `--import=${preload}` };
    },
    /** Shifts a clock relative to its current time; null sets it right. */
    jump: (name: string, byMs: number | null) => set(name, byMs === null ? 0 : (offsets.get(name) ?? 0) + byMs),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}
