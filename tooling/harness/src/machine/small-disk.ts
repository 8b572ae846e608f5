import { execFileSync } from 'node:child_process';
import { openFolder, type TemporaryFolder } from './open-folder.ts';

/** Why no file system can be mounted here; null where one can. */
export function whyNoSmallDisk(): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'only root may mount a file system, on Linux';
  try {
    execFileSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], { stdio: 'ignore' });
    return null;
  } catch {
    return 'this machine permits no mount';
  }
}

/** A folder with a file system of its own, which is soon full. Disposing of it unmounts and removes it. */
export function openSmallDisk(kibibytes: number): TemporaryFolder {
  const folder = openFolder('disk');
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kibibytes}k`, 'tmpfs', folder.path]);
  return {
    path: folder.path,
    [Symbol.dispose]: () => {
      execFileSync('umount', ['--lazy', folder.path]);
      folder[Symbol.dispose]();
    },
  };
}
