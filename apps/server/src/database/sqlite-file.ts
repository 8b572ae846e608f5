import { closeSync, existsSync, fsyncSync, openSync, statSync } from 'node:fs';
import { backup, DatabaseSync } from 'node:sqlite';
import { CommandFailure, type Output, verifyBackup } from '@access-admin/cli';
import { migrationsOf } from '@access-admin/store';

/** The endings of what SQLite keeps beside a database. */
export const BESIDE = ['-wal', '-shm', '-journal'] as const;

/** How a copy can be stopped, and where it shows how far it is. */
export interface CopyOptions {
  readonly signal: AbortSignal;
  readonly output: Pick<Output, 'progress'>;
}

/** Whether a path is that of a database, or of a file that SQLite keeps beside it. */
export function isSame(one: string, path: string): boolean {
  return ['', ...BESIDE].some((suffix) => {
    if (one === path + suffix) return true;
    if (!existsSync(one) || !existsSync(path + suffix)) return false;
    const left = statSync(one);
    const right = statSync(path + suffix);
    return left.dev === right.dev && left.ino === right.ino;
  });
}

/** Throws a `CommandFailure` unless the file is a sound database of this version or an earlier one. */
export function verifyDatabase(path: string): void {
  verifyBackup(path);
  const known = Object.keys(migrationsOf('sqlite'));
  const unknown = migrationsIn(path).filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new CommandFailure(`${path} is of a later version: it has the schema ${unknown.join(', ')}.`);
}

function migrationsIn(path: string): readonly string[] {
  using database = new DatabaseSync(path, { readOnly: true });
  return database
    .prepare('select name from kysely_migration order by name')
    .all()
    .map(({ name }) => String(name));
}

/** Copies a database that may be in use, as of one instant. Rejects once the signal is aborted. */
export async function copyDatabase(from: string, to: string, options: CopyOptions): Promise<void> {
  using database = new DatabaseSync(from, { readOnly: true });
  // A read transaction fixes the snapshot: without it, each concurrent write would restart the copy.
  database.exec('begin; select 1 from sqlite_schema limit 1');
  await copyPages(database, to, options);
}

const PAGES_PER_STEP = 1000;

/** Copies what an open database holds. */
export async function copyPages(database: DatabaseSync, to: string, { signal, output }: CopyOptions): Promise<void> {
  const pageBytes = Number(database.prepare('pragma page_size').get()?.['page_size']);
  const shown = output.progress('copying', 'bytes');
  const progress = ({
    totalPages,
    remainingPages,
  }: {
    readonly totalPages: number;
    readonly remainingPages: number;
  }) => {
    signal.throwIfAborted();
    shown.update((totalPages - remainingPages) * pageBytes, totalPages * pageBytes);
  };
  try {
    await backup(database, to, { rate: PAGES_PER_STEP, progress });
  } finally {
    shown.end();
  }
}

/** Creates an empty file that only its owner may read: a database holds private keys. */
export function makePrivate(path: string): void {
  closeSync(openSync(path, 'wx', 0o600));
}

/** Brings a file or the entries of a folder to the disk. */
export function sync(path: string): void {
  const file = openSync(path, 'r');
  fsyncSync(file);
  closeSync(file);
}
