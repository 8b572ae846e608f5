import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** How far an import has come, kept so that the same command goes on after a failure. */
export interface ImportState {
  /** The number of requests that were answered. */
  readonly done: () => number;
  /** Returns whether that is kept: the folder may be full, or not be writable. */
  save(done: number): boolean;
  remove(): void;
}

/** What makes an import the same: the service, the client, and the files as they are. */
export interface ImportIdentity {
  readonly url: string;
  readonly clientId: string;
  readonly files: readonly string[];
}

/** Opens the state of an import below a folder of what may be removed at any time. */
export function openImportState(folder: string, { url, clientId, files }: ImportIdentity): ImportState {
  const of = files.map((file) => {
    const { size, mtimeMs } = statSync(file);
    return [resolve(file), size, mtimeMs];
  });
  const name = createHash('sha256')
    .update(JSON.stringify([url, clientId, of]))
    .digest('hex')
    .slice(0, 32);
  const path = join(folder, `import-${name}.json`);
  return {
    done: () => {
      try {
        const { done } = JSON.parse(readFileSync(path, 'utf8'));
        return Number.isSafeInteger(done) ? done : 0;
      } catch {
        return 0;
      }
    },
    save: (done) => {
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        writeFileSync(path, JSON.stringify({ done }), { mode: 0o600 });
        return true;
      } catch {
        return false;
      }
    },
    remove: () => {
      // Where nothing can be kept, a file is in the place of the folder.
      if (existsSync(path)) rmSync(path);
    },
  };
}
