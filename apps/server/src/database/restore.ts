import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { CommandFailure } from '@access-admin/cli';
import { makeFolder } from '@access-admin/store';
import {
  BESIDE,
  type CopyOptions,
  copyDatabase,
  copyPages,
  isSame,
  makePrivate,
  sync,
  verifyDatabase,
} from './sqlite-file.ts';

/** Throws a `CommandFailure` unless a backup can take the place of a database. */
export async function verifyForRestore(source: string, path: string, signal: AbortSignal): Promise<void> {
  if (!existsSync(source)) throw new CommandFailure(`There is no backup at ${source}.`);
  if (isSame(source, path)) throw new CommandFailure('That is the database itself.');
  await verifyDatabase(source, signal);
}

/** Replaces a database that no process has open by a verified backup. Resolves with the path that keeps the old one; null without one. */
export async function restore(
  source: string,
  path: string,
  { aside, ...options }: CopyOptions & { readonly aside: string },
): Promise<string | null> {
  if (existsSync(aside)) throw new CommandFailure(`${aside} exists.`);
  makeFolder(dirname(path));
  const kept = await keepOld(path, aside, options);
  if (!existsSync(path)) makePrivate(path);
  // One transaction on the existing file: a concurrent reader, or one after a crash, finds the old or the new content.
  await copyDatabase(source, path, options);
  sync(path);
  sync(dirname(path));
  return kept;
}

async function keepOld(path: string, aside: string, options: CopyOptions): Promise<string | null> {
  if (!existsSync(path)) {
    // A log left behind by a deleted database must not be applied to the new one.
    moveAside(path, aside);
    return null;
  }
  using database = new DatabaseSync(path, { timeout: 0 });
  try {
    // Fails while another process has the file open. Moves the write-ahead log into the file.
    database.exec('pragma locking_mode = exclusive; begin exclusive; commit; pragma journal_mode = delete');
    makePrivate(aside);
    await copyPages(database, aside, options);
    sync(aside);
  } catch (error) {
    rmSync(aside, { force: true });
    if (isOf(error, BUSY))
      throw new CommandFailure(`${path} is in use: stop the API, the worker and whatever else has it open.`);
    if (!isOf(error, DAMAGE)) throw error;
    database.close();
    moveAside(path, aside);
  }
  return aside;
}

function moveAside(path: string, aside: string): void {
  for (const suffix of ['', ...BESIDE]) if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix);
}

/** SQLITE_BUSY and SQLITE_LOCKED. */
const BUSY = [5, 6];
/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const DAMAGE = [11, 26];

/** Whether SQLite failed by one of the codes. Extended codes have more in their upper bits. */
const isOf = (error: unknown, codes: readonly number[]): boolean => codes.includes(Object(error).errcode & 0xff);
