import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createSqliteCommitSignal } from './commit-signal.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

test('polls once a second without a signal of the files, also after a failed read of the version', async () => {
  const versions = [1, new Error('away'), 2];
  const readVersion = () => {
    const version = versions.shift() ?? 2;
    if (version instanceof Error) throw version;
    return version;
  };
  const signal = createSqliteCommitSignal('/no/such/directory/store.db', readVersion);
  let calls = 0;
  signal.subscribe(() => calls++);
  vi.advanceTimersByTime(1_999);
  expect([calls, versions]).toEqual([0, [2]]);
  vi.advanceTimersByTime(1);
  expect([calls, versions]).toEqual([1, []]);
  signal.close();
});

test('polls once at the first signal of a long commit, and then only as time passes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'access-admin-signal-'));
  let polls = 0;
  const signal = createSqliteCommitSignal(join(folder, 'store.db'), () => ++polls);
  let calls = 0;
  signal.subscribe(() => calls++);
  const log = openSync(join(folder, 'store.db-wal'), 'w');
  const writePages = async (count: number) => {
    for (let page = 0; page < count; page++) {
      writeSync(log, 'page');
      await setImmediate();
    }
  };
  while (calls === 0) await writePages(1);
  expect(polls).toBe(2);
  await writePages(1_000);
  expect(polls).toBe(2);
  vi.advanceTimersByTime(1);
  expect(polls).toBe(3);
  await writePages(1_000);
  expect(polls).toBe(3);
  vi.advanceTimersByTime(2 + 4 + 8 + 16);
  expect(polls).toBe(7);
  // Now a signal polls at once and starts the series again.
  while (polls === 7) await writePages(1);
  await writePages(1_000);
  expect(polls).toBe(8);
  vi.advanceTimersByTime(1);
  expect(polls).toBe(9);
  signal.close();
  closeSync(log);
  rmSync(folder, { recursive: true });
});

test('waits for nothing after a listener has closed it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'access-admin-signal-'));
  let polls = 0;
  const signal = createSqliteCommitSignal(join(folder, 'store.db'), () => ++polls);
  signal.subscribe(signal.close);
  while (polls < 2) {
    writeFileSync(join(folder, 'store.db-wal'), 'page');
    await setImmediate();
  }
  expect(vi.getTimerCount()).toBe(0);
  rmSync(folder, { recursive: true });
});
