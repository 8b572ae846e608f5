import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCE = fileURLToPath(new URL('storage-faults.c', import.meta.url));
const COMPILERS = ['cc', 'gcc', 'clang'];

/** A library between a process and its files, with the environment variables that load it. */
export interface Shim {
  readonly env: Readonly<Record<string, string>>;
}

/** Compiles storage-faults.c into the folder, or returns why this machine cannot. */
export function buildShim(folder: string): Shim | { readonly unavailable: string } {
  if (process.platform !== 'linux')
    return { unavailable: `it preloads a library, which ${process.platform} does not do` };
  const library = join(folder, 'storage-faults.so');
  for (const compiler of COMPILERS) {
    const { status, stderr, error } = spawnSync(
      compiler,
      ['-O2', '-shared', '-fPIC', '-o', library, SOURCE, '-ldl', '-lpthread'],
      { encoding: 'utf8' },
    );
    if (error !== undefined) continue;
    if (status === 0 && existsSync(library)) return { env: { LD_PRELOAD: library } };
    throw new Error(`${compiler} cannot compile ${SOURCE}:\n${stderr}`);
  }
  return { unavailable: `no C compiler here (${COMPILERS.join(', ')})` };
}
