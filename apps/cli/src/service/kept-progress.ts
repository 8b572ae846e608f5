import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** How far something has come, kept so that the same command goes on after a failure. */
export interface KeptProgress {
  /** What was kept; empty without anything. */
  read(): Readonly<Record<string, unknown>>;
  /** Returns whether it is kept: the folder may be full, or not be writable. */
  save(progress: Readonly<Record<string, unknown>>): boolean;
  remove(): void;
}

/** What makes a run of a command the same: what it does, the service, the client, and the files as they are. */
export interface RunIdentity {
  readonly what: readonly string[];
  readonly url: string;
  readonly clientId: string;
  readonly files: readonly string[];
}

/** Opens the progress of a run below a folder of what may be removed at any time. */
export function openProgress(folder: string, { what, url, clientId, files }: RunIdentity): KeptProgress {
  const of = files.map((file) => {
    const { size, mtimeMs } = statSync(file);
    return [resolve(file), size, mtimeMs];
  });
  const name = createHash('sha256')
    .update(JSON.stringify([...what, url, clientId, of]))
    .digest('hex')
    .slice(0, 32);
  const path = join(folder, `${what[0]}-${name}.json`);
  return {
    read: () => {
      try {
        return Object(JSON.parse(readFileSync(path, 'utf8')));
      } catch {
        return {};
      }
    },
    save: (progress) => {
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        writeFileSync(path, JSON.stringify(progress), { mode: 0o600 });
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

/** A number that was kept; 0 for anything else. */
export const keptNumber = (value: unknown): number => (Number.isSafeInteger(value) ? Number(value) : 0);
