import { openFolder } from '@access-admin/harness';
import { expect, test } from 'vitest';
import { readLines } from './read-lines.ts';

test.each([
  ['missing.ndjson', 'there is no such file'],
  ['.', 'it is a folder'],
])('%s cannot be read, which names it', async (name, reason) => {
  using folder = openFolder('read-lines');
  const path = `${folder.path}/${name}`;
  await expect(readLines(path, new AbortController().signal).next()).rejects.toThrow(`${path}: ${reason}`);
});
