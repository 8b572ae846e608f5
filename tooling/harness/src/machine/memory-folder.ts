import { existsSync, statfsSync } from 'node:fs';

/** A file system in memory, and the space that must be free there before files are placed in it. */
const MEMORY = '/dev/shm';
const FREE_BYTES = 4 * 2 ** 30;

/** The root of a file system in memory; null on a machine that has none, or none with room. */
export function memoryFolder(): string | null {
  if (!existsSync(MEMORY)) return null;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= FREE_BYTES ? MEMORY : null;
}
