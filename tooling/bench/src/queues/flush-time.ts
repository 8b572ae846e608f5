import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { spreadOf } from '../measure/rounds.ts';

const FLUSHES = 50;

/** Milliseconds that the disk needs to make 4 KiB durable: the lower bound of a commit. */
export function measureFlushMs(folder: string): number {
  const path = join(folder, 'flush');
  const file = openSync(path, 'a');
  const page = Buffer.alloc(4096, 1);
  const times = Array.from({ length: FLUSHES }, () => {
    const start = performance.now();
    writeSync(file, page);
    fdatasyncSync(file);
    return performance.now() - start;
  });
  closeSync(file);
  rmSync(path);
  return spreadOf(times).median;
}
