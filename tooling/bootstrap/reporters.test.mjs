import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { root } from './run-process.mjs';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'access-admin-reporters-'));
  mkdirSync(join(folder, 'project'));
});

afterEach(() => rmSync(folder, { recursive: true }));

test('a run notes its files and tests, and a setup that failed is named in place of the tests that did not run', () => {
  const { notes, report } = run({
    'passing.test.mjs': `test('passes', () => {}); test.skip('is skipped', () => {});`,
    'failing.test.mjs': `test('fails', () => expect(1).toBe(2));`,
    'file.test.mjs': `beforeAll(() => { throw new Error('no database') }); test('a', () => {}); test('b', () => {});`,
    'group.test.mjs': `
      describe('of pages', () => {
        beforeAll(() => { throw new Error('no browser') });
        test('a', () => {});
        describe('in dark', () => { test('b', () => {}); });
      });
      test('c', () => {});
      test('d', (context) => context.skip('no curl'));`,
    'teardown.test.mjs': `afterAll(() => { throw new Error('a process is left') }); test('a', () => {});`,
  });
  const runSoFar = { files: 5, filesEnded: 5, passed: 3, failed: 1 };
  expect(notes).toEqual([{ process: expect.any(Number), task: '@access-admin/api#test', ...runSoFar }]);
  expect(report.passed).toBe(3);
  expect(new Map(report.failed.map(({ name, reason }) => [name, reason]))).toEqual(
    new Map([
      ['failing.test.mjs > fails', expect.stringContaining('to be 2')],
      ['file.test.mjs', 'its setup failed, 2 tests did not run: no database'],
      ['group.test.mjs > of pages', 'its setup failed, 2 tests did not run: no browser'],
      ['teardown.test.mjs', 'a process is left'],
    ]),
  );
  expect(new Map(report.skipped.map(({ name, reason }) => [name, reason]))).toEqual(
    new Map([
      ['passing.test.mjs > is skipped', 'no reason given'],
      ['group.test.mjs > d', 'no curl'],
    ]),
  );
});

test('a run whose global setup failed is named so', () => {
  const { report } = run(
    {
      'file.test.mjs': `test('a', () => {});`,
      'setup.mjs': `export const setup = () => { throw new Error('no server') };`,
    },
    { globalSetup: ['./setup.mjs'] },
  );
  const reason = 'failed before the first of 1 files; its output has the error';
  expect(report).toEqual({ passed: 0, failed: [{ name: 'the setup of the run', reason }], skipped: [] });
});

/** Runs vitest on files of a project, with the reporters. */
function run(files, config = {}) {
  const project = join(folder, 'project');
  const reporters = ['count-reporter', 'progress-reporter'].map((name) => join(root, `tooling/bootstrap/${name}.mjs`));
  const content = `export default ${JSON.stringify({ test: { globals: true, reporters, ...config } })};\n`;
  for (const [name, text] of Object.entries({ ...files, 'vitest.config.mjs': content })) {
    writeFileSync(join(project, name), text);
  }
  const env = {
    ...process.env,
    TEST_REPORT_FOLDER: join(folder, 'reports'),
    TEST_PROGRESS_FOLDER: join(folder, 'progress'),
    npm_package_name: '@access-admin/api',
    npm_lifecycle_event: 'test',
  };
  spawnSync(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--root', project], { env });
  const readAll = (name) =>
    readdirSync(join(folder, name)).map((file) => JSON.parse(readFileSync(join(folder, name, file), 'utf8')));
  return { report: readAll('reports')[0], notes: readAll('progress') };
}
