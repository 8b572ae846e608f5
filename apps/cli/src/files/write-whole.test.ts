import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openFolder } from '@access-admin/harness';
import { expect, test } from 'vitest';
import type { Output } from '../output/output.ts';
import { openSink, writeWhole } from './write-whole.ts';

const output: Output = {
  write: async () => {},
  show: async () => {},
  note: () => {},
  style: (_, plain) => ({ plain, toString: () => plain }),
  progress: () => ({ update: () => {}, end: () => {} }),
};

test('a file appears once it is whole', async () => {
  using folder = openFolder('write-whole');
  const path = join(folder.path, 'model.ndjson');
  writeFileSync(path, 'old');
  const sink = openSink(path, { output });
  await sink.write('new');
  expect(readFileSync(path, 'utf8')).toBe('old');
  sink.commit();
  expect(readFileSync(path, 'utf8')).toBe('new');
  expect(readdirSync(folder.path)).toEqual(['model.ndjson']);
});

test('what has failed is discarded again without another failure, which would hide the first', async () => {
  using folder = openFolder('write-whole');
  const sink = openSink(join(folder.path, 'model.ndjson'), { output });
  sink.discard();
  expect(() => sink.discard()).not.toThrow();
  expect(readdirSync(folder.path)).toEqual([]);
});

test('a device stays a device', async () => {
  using folder = openFolder('write-whole');
  const path = join(folder.path, 'nowhere');
  // Were the device replaced, this link would be, and not that of the machine.
  symlinkSync('/dev/null', path);
  await writeWhole(path, 'text', { output });
  expect(lstatSync(path).isSymbolicLink()).toBe(true);
  expect(readdirSync(folder.path)).toEqual(['nowhere']);
});

test('a folder is refused, and nothing is left beside it', () => {
  using folder = openFolder('write-whole');
  const path = join(folder.path, 'models');
  mkdirSync(path);
  expect(() => openSink(path, { output })).toThrow(`${path}: it is a folder`);
  expect(readdirSync(folder.path)).toEqual(['models']);
});

test('a file is readable by its owner alone, unless it is to be read by others', async () => {
  using folder = openFolder('write-whole');
  const path = join(folder.path, 'model.ndjson');
  writeFileSync(path, 'old', { mode: 0o644 });
  await writeWhole(path, 'new', { output });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  await writeWhole(path, 'new', { output, mode: 0o644 });
  expect(statSync(path).mode & 0o777).toBe(0o644);
});

test('the umask takes nothing from the mode of a file, unless it is left to the umask', () => {
  using folder = openFolder('write-whole');
  const path = join(folder.path, 'backup.prom');
  // Threads share the umask of their process, and cannot set it.
  const modeOf = (mode: number | null) => {
    const program = `import { writeWhole } from ${JSON.stringify(new URL('write-whole.ts', import.meta.url))};
      await writeWhole(${JSON.stringify(path)}, 'text', { mode: ${mode} });`;
    const flags = ['--conditions=@access-admin/source', '--input-type=module', '--eval', program];
    execFileSync('/bin/sh', ['-c', 'umask 077; exec "$0" "$@"', process.execPath, ...flags]);
    return statSync(path).mode & 0o777;
  };
  expect([modeOf(0o644), modeOf(null)]).toEqual([0o644, 0o600]);
});

test('a file that cannot take its place leaves nothing behind', async () => {
  using folder = openFolder('write-whole');
  const path = join(folder.path, 'model.ndjson');
  const sink = openSink(path, { output });
  await sink.write('text');
  mkdirSync(path);
  expect(() => sink.commit()).toThrow(path);
  expect(readdirSync(folder.path)).toEqual(['model.ndjson']);
});
