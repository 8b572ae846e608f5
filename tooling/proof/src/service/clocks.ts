import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openFolder } from '@access-admin/harness';

/** The clocks of the processes of a fleet. */
export interface Clocks extends Disposable {
  envOf(name: string): Readonly<Record<string, string>>;
  /** Shifts a clock relative to its current time; null sets it right. */
  jump(name: string, byMs: number | null): void;
}

export function openClocks(): Clocks {
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
    envOf(name) {
      set(name, 0);
      return { CLOCK_FILE: fileOf(name), NODE_OPTIONS: `--import=${preload}` };
    },
    jump: (name, byMs) => set(name, byMs === null ? 0 : (offsets.get(name) ?? 0) + byMs),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}
