import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A path for a database of a test. */
export interface SqliteFile extends AsyncDisposable {
  readonly path: string;
  readonly directory: string;
}

export async function newSqliteFile(): Promise<SqliteFile> {
  const directory = await mkdtemp(join(tmpdir(), 'access-admin-'));
  return {
    directory,
    path: join(directory, 'made', 'for it', 'store.db'),
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true }),
  };
}

/** Counts the frames of the log that end a transaction: those that contain the size of the database. */
export async function countCommits({ path }: Pick<SqliteFile, 'path'>): Promise<number> {
  const log = await readFile(`${path}-wal`);
  const frameBytes = 24 + log.readUInt32BE(8);
  let commits = 0;
  for (let frame = 32; frame + frameBytes <= log.length; frame += frameBytes) {
    if (log.readUInt32BE(frame + 4) !== 0) commits += 1;
  }
  return commits;
}
