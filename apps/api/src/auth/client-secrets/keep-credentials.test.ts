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

test('several stores with one client id, created at the same time, keep all of their secrets', async () => {
  const folder = await openFolder();
  const secrets = ['s1', 's2', 's3'];
  const kept = await Promise.all(
    secrets.map((clientSecret) => keepCredentials(folder)({ ...CREDENTIALS, clientSecret })),
  );
  await Promise.all(kept.map(({ confirm }) => confirm()));
  const names = await readdir(folder);
  const found = await Promise.all(
    names.map(async (name) => JSON.parse(await readFile(join(folder, name), 'utf8')).clientSecret),
  );
  expect([names.length, found.sort()]).toEqual([3, secrets]);
});

test('discarding credentials keeps the existing file', async () => {
  const folder = await openFolder();
  await writeFile(join(folder, 'bootstrap-client.json'), 'theirs');
  await (await keepCredentials(folder)(CREDENTIALS)).discard();
  expect(await readdir(folder)).toEqual(['bootstrap-client.json']);
  expect(await readFile(join(folder, 'bootstrap-client.json'), 'utf8')).toBe('theirs');
});
