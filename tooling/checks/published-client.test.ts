import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { read } from './repository.ts';
import { complaintsOf } from './run-tool.ts';

const folder = mkdtempSync(join(tmpdir(), 'access-admin-client-'));
const { packageManager } = JSON.parse(read('package.json'));
let tarball = '';

beforeAll(() => {
  expect(
    complaintsOf(`npx --yes --prefer-offline ${packageManager} pack --pack-destination ${folder}`, 'packages/client'),
  ).toBe('');
  tarball = join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? 'no tarball');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('publint finds nothing in the packed client', () => {
  expect(complaintsOf(`publint run ${tarball} --strict`)).toBe('');
});

test('the types of the packed client resolve for every kind of importer of an ES module', () => {
  expect(complaintsOf(`attw ${tarball} --profile esm-only --no-emoji --format ascii`)).toBe('');
});
