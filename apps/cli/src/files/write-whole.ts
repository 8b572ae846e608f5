import { closeSync, fchmodSync, fsyncSync, openSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { CommandFailure } from '../output/failure.ts';
import type { Output } from '../output/output.ts';
import { reasonOf } from './read-text.ts';
import { openTemporary } from './temporary.ts';

/** A file, or the standard output, that is being written. */
export interface Sink {
  write(text: string): Promise<void>;
  /** Puts the file in its place. */
  commit(): void;
  /** Removes what was written so far, once; the standard output keeps it. A failed `write` has discarded already. */
  discard(): void;
}

interface SinkOptions {
  readonly output: Output;
  /** That of the file, whatever the umask is; null leaves it to the umask. Only its owner can read the file if left out. */
  readonly mode?: number | null;
}

/**
 * Opens a file that appears under its name only once it is whole; null is the standard output. A device or a pipe is written
 * to directly, as a file must not take its place. Errors are `CommandFailure`s that name the file, such as for a full disk.
 */
export function openSink(path: string | null, { output, mode = 0o600 }: SinkOptions): Sink {
  if (path === null) return { write: output.write, commit: () => {}, discard: () => {} };
  if (!isReplaceable(path)) return openDirectly(path);
  const part = `${path}.${process.pid}.part`;
  const temporary = openTemporary(part);
  const file = guarded(path, () => openSync(part, 'w', mode ?? undefined));
  let isOpen = true;
  const close = () => {
    if (isOpen) closeSync(file);
    isOpen = false;
  };
  if (mode !== null) fchmodSync(file, mode);
  const discard = () => {
    close();
    temporary[Symbol.dispose]();
  };
  return {
    write: async (text) => {
      try {
        writeFileSync(file, text);
      } catch (error) {
        discard();
        throw new CommandFailure(`${path}: ${reasonOf(error)}; nothing was written`);
      }
    },
    commit: () => {
      try {
        guarded(path, () => {
          fsyncSync(file);
          close();
          renameSync(part, path);
        });
      } finally {
        discard();
      }
    },
    discard,
  };
}

/** Whether a path is free, or is that of a regular file. */
export function isReplaceable(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? true;
}

function openDirectly(path: string): Sink {
  const file = guarded(path, () => openSync(path, 'w'));
  const close = () => guarded(path, () => closeSync(file));
  return { write: async (text) => guarded(path, () => writeFileSync(file, text)), commit: close, discard: close };
}

/** Writes a small file at once. */
export async function writeWhole(path: string, text: string, options: SinkOptions) {
  const sink = openSink(path, options);
  await sink.write(text);
  sink.commit();
}

function guarded<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw new CommandFailure(`${path}: ${reasonOf(error)}`);
  }
}
