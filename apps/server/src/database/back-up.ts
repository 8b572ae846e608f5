import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { CommandFailure, isReplaceable, openTemporary } from '@access-admin/cli';
import { makeFolder } from '@access-admin/store';
import {
  assertFits,
  BESIDE,
  type CopyOptions,
  copyDatabase,
  isSame,
  makePrivate,
  sync,
  verifyDatabase,
} from './sqlite-file.ts';

/**
 * Copies a database that may be in use, as of one instant, and renames the copy to `target` only once it is verified and on
 * disk. Resolves with its bytes. Rejects once the signal is aborted, and removes the partial copy.
 */
export async function backUp(
  path: string,
  target: string,
  { overwrite, ...options }: CopyOptions & { readonly overwrite: boolean },
): Promise<number> {
  if (!existsSync(path)) throw new CommandFailure(`There is no database at ${path}.`);
  if (isSame(target, path)) throw new CommandFailure('A backup needs a file of its own.');
  if (!isReplaceable(target)) throw new CommandFailure(`${target} is not a file.`);
  const refuseExisting = () => {
    if (!overwrite && existsSync(target)) throw new CommandFailure(`${target} exists; --overwrite replaces it.`);
  };
  refuseExisting();
  // Of the copy the message would name a file that is removed again.
  assertFits(path);
  const part = `${target}.${process.pid}.part`;
  using _ = openTemporary(part);
  try {
    makePlace(target, part);
    await copyDatabase(path, part, options);
    makeWhole(part);
    await verifyDatabase(part, options.signal);
    sync(part);
    refuseExisting();
    renameSync(part, target);
    sync(dirname(target));
    return statSync(target).size;
  } finally {
    for (const suffix of BESIDE) rmSync(part + suffix, { force: true });
  }
}

/** Makes the folder and the empty file. Throws a `CommandFailure` where the system refuses them. */
function makePlace(target: string, part: string): void {
  try {
    makeFolder(dirname(target));
    makePrivate(part);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandFailure(`No backup can be made at ${target}: ${reason}`);
  }
}

/** Turns write-ahead logging off, so that the database is a single file. */
function makeWhole(path: string): void {
  using database = new DatabaseSync(path);
  database.exec('pragma journal_mode = delete');
}
