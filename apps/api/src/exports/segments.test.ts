import { readdirSync, readlinkSync } from 'node:fs';
import { openFolder } from '@access-admin/harness';
import { expect, test } from 'vitest';
import { createSegments } from './segments.ts';

/** The files of a folder that this process has open. */
const openIn = (folder: string) =>
  readdirSync('/proc/self/fd').filter((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`).startsWith(folder);
    } catch {
      return false;
    }
  });

test.runIf(process.platform === 'linux')('a file whose name cannot be removed is closed', async () => {
  using folder = openFolder('segments');
  const keepName = async () => {
    throw new Error('not permitted');
  };
  const segments = createSegments(folder.path, () => 'x', keepName);
  await expect(segments.write(Buffer.from('text'))).rejects.toThrow('not permitted');
  expect([openIn(folder.path), segments.unread]).toEqual([[], 0]);
  segments.close();
});
