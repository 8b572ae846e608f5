import { closeSync, existsSync, fsyncSync, openSync, type Stats, statSync } from 'node:fs';
import { backup, DatabaseSync } from 'node:sqlite';
import { CommandFailure, type Output, reasonOf, verifyBackup } from '@access-admin/cli';
import { type FoundSchema, findMisfit, KEY_CHECK_QUERY, type KeyCheck, migrationsOf } from '@access-admin/store';

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

/** Throws a `CommandFailure` unless the file is a sound database that this version can work on or migrate. */
export async function verifyDatabase(path: string, signal: AbortSignal): Promise<void> {
  await verifyBackup(path, signal);
  assertFits(path);
}

/** Throws a `CommandFailure` unless the schema of a database is one that this version can work on or migrate. */
export function assertFits(path: string): void {
  const misfit = findMisfit(Object.keys(migrationsOf('sqlite')), schemaIn(path));
  if (misfit !== null) throw new CommandFailure(`The schema of ${path} does not fit this version: ${misfit}.`);
}

/** What a database tells of its schema. Throws a `CommandFailure` that names the file, and what to do, where it is none of the service. */
export function schemaIn(path: string): FoundSchema {
  const { size } = assertFile(path);
  try {
    using database = new DatabaseSync(path, { readOnly: true });
    const tables = database
      .prepare("select name from sqlite_schema where type = 'table'")
      .all()
      .map(({ name }) => name);
    if (!tables.includes('kysely_migration'))
      throw new CommandFailure(
        size === 0
          ? emptyDatabase(path)
          : `${path} is no database of the service: name another file, or restore a backup.`,
      );
    const rows = database.prepare('select name from kysely_migration order by name').all();
    return { migrations: rows.map(({ name }) => String(name)), hasTables: tables.includes('tenant') };
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    throw new CommandFailure(`${path}: ${reasonOf(error)}: name another file, or restore a backup.`);
  }
}

/** How the key of its secrets is recognized; null before the first key. */
export function keyCheckIn(path: string): KeyCheck | null {
  using database = new DatabaseSync(path, { readOnly: true });
  const hasKeys = database.prepare("select 1 from sqlite_schema where name = 'secret_key'").get() !== undefined;
  const row = hasKeys ? database.prepare(KEY_CHECK_QUERY).get() : undefined;
  if (row === undefined) return null;
  return { salt: String(row['salt']), checkValue: String(row['checkValue']), created: String(row['created']) };
}

/** What to say of an empty file, which SQLite takes for a new database. */
export const emptyDatabase = (path: string): string =>
  `${path} is empty: \`access-admin migrate\`, or a start, makes a database of it.`;

function assertFile(path: string): Stats {
  const found = statSync(path);
  if (found.isDirectory()) throw new CommandFailure(`${path} is a folder: name a file.`);
  return found;
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
