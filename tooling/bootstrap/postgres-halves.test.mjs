import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { noteStorePassed, reasonToSkipPostgres } from './postgres-halves.mjs';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'access-admin-halves-'));
  for (const path of ['packages/store', 'packages/domain', 'tooling/harness']) {
    mkdirSync(join(folder, path), { recursive: true });
    writeFileSync(join(folder, path, 'index.ts'), 'export {};\n');
  }
  writeFileSync(join(folder, 'pnpm-lock.yaml'), '');
  writeFileSync(join(folder, '.gitignore'), '.turbo\n');
  git('init', '--initial-branch=main');
  git('add', '.');
  git('commit', '--message=Begin');
});

afterEach(() => rmSync(folder, { recursive: true }));

test('in a new clone, the store is that of main', () => {
  expect(reasonToSkipPostgres(folder)).toMatch(/^the store is that of main, [0-9a-f]{8,}, which CI tests there$/);
});

test('before the first run that passed, a change of the store and of what is installed is tested', () => {
  writeFileSync(join(folder, 'README.md'), '');
  expect(reasonToSkipPostgres(folder)).not.toBeNull();
  writeFileSync(join(folder, 'pnpm-lock.yaml'), 'changed');
  expect(reasonToSkipPostgres(folder)).toBeNull();
  git('checkout', '.');
  writeFileSync(join(folder, 'packages/store/new.ts'), '');
  expect(reasonToSkipPostgres(folder)).toBeNull();
});

test('after a run that passed, only another store is tested', () => {
  writeFileSync(join(folder, 'packages/store/index.ts'), 'changed');
  noteStorePassed(folder);
  expect(reasonToSkipPostgres(folder)).toBe('the store is as it passed there last');
  git('checkout', '.');
  expect(reasonToSkipPostgres(folder)).toBeNull();
});

test('without a main to compare with, the store is tested', () => {
  git('branch', '--move', 'trunk');
  expect(reasonToSkipPostgres(folder)).toBeNull();
});

function git(...args) {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgSign=false'];
  execFileSync('git', [...identity, ...args], { cwd: folder, stdio: 'ignore' });
}
