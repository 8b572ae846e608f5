import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { describeTests, withProgress } from './progress.mjs';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'access-admin-progress-'));
});

afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true });
});

test('a line is printed every 15 seconds until the work ends', async () => {
  vi.useFakeTimers();
  const lines = [];
  let end;
  const work = new Promise((resolve) => {
    end = resolve;
  });
  const waiting = withProgress(
    () => 'installing',
    work,
    (line) => lines.push(line),
  );
  vi.advanceTimersByTime(14_000);
  expect(lines).toEqual([]);
  vi.advanceTimersByTime(31_000);
  expect(lines).toEqual(['15 s: installing', '30 s: installing', '45 s: installing']);
  end('installed');
  expect(await waiting).toBe('installed');
  vi.advanceTimersByTime(60_000);
  expect(lines).toHaveLength(3);
});

test('without a note and a script no task runs', () => {
  expect(describeTests(join(folder, 'none'))).toBe('0 tests passed and 0 failed so far; running: no task');
});

test('tests of runs that ended count, and only tasks that run are named', async () => {
  const scripts = ['types', 'types', 'test'].map((name) =>
    spawn(process.execPath, ['-e', 'console.log(); setInterval(() => {}, 1000)', 'pnpm', 'run', name]),
  );
  try {
    await Promise.all(scripts.map(({ stdout }) => once(stdout, 'data')));
    note({ process: process.pid, task: 'store#test', files: 7, filesEnded: 2, passed: 30, failed: 1 });
    const ended = spawn(process.execPath, ['--version']);
    await once(ended, 'exit');
    note({ process: ended.pid, task: 'domain#test', files: 9, filesEnded: 9, passed: 400, failed: 0 });
    expect(describeTests(folder)).toBe(
      '430 tests passed and 1 failed so far; running: store#test (2 of 7 files), types',
    );
  } finally {
    for (const child of scripts) child.kill();
  }
});

function note(content) {
  writeFileSync(join(folder, `${content.process}.json`), JSON.stringify(content));
}
