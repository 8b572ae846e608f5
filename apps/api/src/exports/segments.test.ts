import { readdirSync, readlinkSync } from 'node:fs';
import { openFolder } from '@access-admin/harness';
import { expect, test, vi } from 'vitest';
import { createSegments } from './segments.ts';

vi.mock('node:fs/promises', async (original) => ({
  ...(await original<typeof import('node:fs/promises')>()),
  unlink: async () => {
    throw new Error('not permitted');
  },
}));

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
  const segments = createSegments(folder.path, () => 'x');
  await expect(segments.write(Buffer.from('text'))).rejects.toThrow('not permitted');
  expect([openIn(folder.path), segments.unread]).toEqual([[], 0]);
  segments.close();
});
