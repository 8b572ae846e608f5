import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
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

test.each([
  ['a\nb\n\xff\nd\n', 3],
  ['a\nb\xff', 2],
  [`${'x'.repeat(2 ** 20)}\nb\n\xff\n`, 3],
])('a line that is not UTF-8 is named by its number', async (text, line) => {
  using folder = openFolder('read-lines');
  const file = join(folder.path, 'records');
  writeFileSync(file, text, 'latin1');
  const read = async () => {
    for await (const _ of readLines(file, new AbortController().signal));
  };
  await expect(read()).rejects.toThrow(`${file}:${line}:1: the line is not UTF-8`);
});
