import { rmSync } from 'node:fs';

const paths = new Set<string>();

/** Removes whatever is still unfinished. The process calls it last, however it ends. */
export function removeTemporaries(): void {
  for (const path of paths) rmSync(path, { recursive: true, force: true });
  paths.clear();
}

/** A file or folder that is removed when it is disposed of, and when the process ends before. */
export function openTemporary(path: string): Disposable {
  if (paths.size === 0) process.once('exit', removeTemporaries);
  paths.add(path);
  return {
    [Symbol.dispose]: () => {
      if (paths.delete(path)) rmSync(path, { recursive: true, force: true });
      if (paths.size === 0) process.removeListener('exit', removeTemporaries);
    },
  };
}
