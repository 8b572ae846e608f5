import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { root } from './run-process.mjs';

const PAGES_PER_STEP = 1000;
const BESIDE = ['-wal', '-shm', '-journal'];

/** The command was refused and changed nothing. Its message is for the operator. */
export class Refusal extends Error {}

/**
 * Copies a database that may be in use, as of one instant, and renames the copy to `target` only once it is verified and
 * on disk. Rejects once `stop` is aborted, and removes the partial copy.
 */
export async function backUpFile(path, target, { overwrite, stop }) {
  if (!existsSync(path)) throw new Refusal(`There is no database at ${path}.`);
  if (isSame(target, path)) throw new Refusal('A backup needs a file of its own.');
  const refuseExisting = () => {
    if (!overwrite && existsSync(target)) throw new Refusal(`${target} exists; --overwrite replaces it.`);
  };
  refuseExisting();
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  const part = `${target}.${process.pid}.part`;
  try {
    makePrivate(part);
    await copyPages(path, part, stop);
    makeWhole(part);
    verify(part);
    sync(part);
    refuseExisting();
    renameSync(part, target);
    sync(dirname(target));
  } finally {
    for (const suffix of ['', ...BESIDE]) rmSync(part + suffix, { force: true });
  }
}

/** Replaces a database that no process has open by a backup. Resolves with the path that keeps the old one; null without one. */
export async function restoreFile(source, path, { aside, stop }) {
  if (!existsSync(source)) throw new Refusal(`There is no backup at ${source}.`);
  if (isSame(source, path)) throw new Refusal('That is the database itself.');
  if (existsSync(aside)) throw new Refusal(`${aside} exists.`);
  verify(source);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const kept = await keepOld(path, aside, stop);
  if (!existsSync(path)) makePrivate(path);
  // One transaction on the existing file: a concurrent reader, or one after a crash, finds the old or the new content.
  await copyPages(source, path, stop);
  sync(path);
  sync(dirname(path));
  return kept;
}

// Compares resolved paths; the files that SQLite keeps beside a database count as part of it.
function isSame(one, path) {
  return ['', ...BESIDE].some((suffix) => {
    if (one === path + suffix) return true;
    if (!existsSync(one) || !existsSync(path + suffix)) return false;
    const left = statSync(one);
    const right = statSync(path + suffix);
    return left.dev === right.dev && left.ino === right.ino;
  });
}

// Turns write-ahead logging off, so that the database is a single file.
function makeWhole(path) {
  const database = new DatabaseSync(path);
  database.exec('pragma journal_mode = delete');
  database.close();
}

/** Throws unless the file is a sound database of this version or an earlier one. */
function verify(path) {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const found = database.prepare('pragma integrity_check(1)').get()?.integrity_check;
    if (found !== 'ok') throw new Refusal(`${path} is damaged: ${found}.`);
    // A migration need not have a file of its own.
    const known = readFileSync(join(root, 'packages/store/src/schema/migrations.ts'), 'utf8').match(
      /\d{4}-[a-z0-9-]+(?=':)/g,
    );
    const schema = database.prepare('select name from kysely_migration order by name').all();
    const unknown = schema.map(({ name }) => name).filter((name) => !known?.includes(name));
    if (schema.length === 0) throw new Refusal(`${path} holds no database of access-admin.`);
    if (unknown.length > 0)
      throw new Refusal(`${path} is of a later version: it has the schema ${unknown.join(', ')}.`);
  } catch (error) {
    throw error instanceof Refusal
      ? error
      : new Refusal(`${path} holds no database of access-admin: ${error.message}.`);
  } finally {
    database.close();
  }
}

async function copyPages(from, to, stop) {
  const database = new DatabaseSync(from, { readOnly: true });
  try {
    // A read transaction fixes the snapshot: without it, each concurrent write would restart the copy.
    database.exec('begin; select 1 from sqlite_schema limit 1');
    await backup(database, to, { rate: PAGES_PER_STEP, progress: () => stop.throwIfAborted() });
  } finally {
    database.close();
  }
}

async function keepOld(path, aside, stop) {
  if (!existsSync(path)) {
    // A log left behind by a deleted database must not be applied to the new one.
    moveAside(path, aside);
    return null;
  }
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    // Fails while another process has the file open. Moves the write-ahead log into the file.
    database.exec('pragma locking_mode = exclusive; begin exclusive; commit; pragma journal_mode = delete');
    makePrivate(aside);
    await backup(database, aside, { rate: PAGES_PER_STEP, progress: () => stop.throwIfAborted() });
    sync(aside);
  } catch (error) {
    rmSync(aside, { force: true });
    if (isBusy(error)) throw new Refusal(`${path} is in use: stop the API, the worker and whatever else has it open.`);
    if (!isDamage(error)) throw error;
    database.close();
    moveAside(path, aside);
  } finally {
    if (database.isOpen) database.close();
  }
  return aside;
}

function moveAside(path, aside) {
  for (const suffix of ['', ...BESIDE]) if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix);
}

// SQLITE_BUSY and SQLITE_LOCKED; SQLITE_CORRUPT and SQLITE_NOTADB. Extended codes have more in their upper bits.
const isBusy = ({ errcode }) => [5, 6].includes(errcode & 0xff);
const isDamage = ({ errcode }) => [11, 26].includes(errcode & 0xff);

// It holds private keys: only the owner may read it.
function makePrivate(path) {
  closeSync(openSync(path, 'wx', 0o600));
}

function sync(path) {
  const file = openSync(path, 'r');
  fsyncSync(file);
  closeSync(file);
}
