import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { keepCredentials } from './keep-credentials.ts';

const CREDENTIALS = { tenant: 'default', clientId: 'c', clientSecret: 's' };

async function openFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'access-admin-credentials-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

test('credentials are written before they are confirmed, readable by the owner only', async () => {
  const folder = await openFolder();
  const kept = await keepCredentials(folder)(CREDENTIALS);
  expect(await readFile(join(folder, 'bootstrap-client.c.json'), 'utf8')).toContain('"clientSecret": "s"');
  await kept.confirm();
  expect(await readdir(folder)).toEqual(['bootstrap-client.json']);
  const place = join(folder, 'bootstrap-client.json');
  expect(JSON.parse(await readFile(place, 'utf8'))).toEqual(CREDENTIALS);
  expect((await stat(place)).mode & 0o777).toBe(0o600);
});

test('credentials of another store are not overwritten', async () => {
  const folder = await openFolder();
  await writeFile(join(folder, 'bootstrap-client.json'), 'theirs');
  await (await keepCredentials(folder)(CREDENTIALS)).confirm();
  expect(await readFile(join(folder, 'bootstrap-client.json'), 'utf8')).toBe('theirs');
  expect(JSON.parse(await readFile(join(folder, 'bootstrap-client.c.json'), 'utf8'))).toEqual(CREDENTIALS);
});

test('discarding credentials keeps the existing file', async () => {
  const folder = await openFolder();
  await writeFile(join(folder, 'bootstrap-client.json'), 'theirs');
  await (await keepCredentials(folder)(CREDENTIALS)).discard();
  expect(await readdir(folder)).toEqual(['bootstrap-client.json']);
  expect(await readFile(join(folder, 'bootstrap-client.json'), 'utf8')).toBe('theirs');
});
