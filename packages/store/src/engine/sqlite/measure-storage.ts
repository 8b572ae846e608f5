import { stat, statfs } from 'node:fs/promises';
import type { StorageMeasure } from '../storage-measure.ts';

/** The bytes of a database file with its write-ahead log, and of the disk that it is on. */
export async function measureSqliteStorage(file: string): Promise<StorageMeasure> {
  const bytesOf = (path: string) =>
    stat(path).then(
      ({ size }) => size,
      () => 0,
    );
  const { bsize, bavail, blocks } = await statfs(file);
  return {
    databaseBytes: (await bytesOf(file)) + (await bytesOf(`${file}-wal`)),
    disk: { freeBytes: bavail * bsize, sizeBytes: blocks * bsize },
  };
}
