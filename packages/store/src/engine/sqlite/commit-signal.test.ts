import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
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

interface Watched {
  polls(): number;
  /** The next poll finds a commit. */
  commit(): void;
  writePages(count: number): Promise<void>;
}

/** A signal of a folder of which a signal has come. */
async function withSignal(work: (watched: Watched) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'access-admin-signal-'));
  let polls = 0;
  let version = 0;
  const signal = createSqliteCommitSignal(join(folder, 'store.db'), () => {
    polls += 1;
    return version;
  });
  signal.subscribe(() => {});
  const log = openSync(join(folder, 'store.db-wal'), 'w');
  const writePages = async (count: number) => {
    for (let page = 0; page < count; page++) {
      writeSync(log, 'page');
      await setImmediate();
    }
  };
  const started = polls;
  while (polls === started) await writePages(1);
  const commit = () => {
    version += 1;
  };
  await work({ polls: () => polls, commit, writePages });
  signal.close();
  closeSync(log);
  rmSync(folder, { recursive: true });
}

test('polls soon after a signal, until no commit was found for a while, and then watches again', () =>
  withSignal(async ({ polls, commit, writePages }) => {
    const before = polls();
    // A long commit causes no more polls than time has passed.
    await writePages(1_000);
    expect(polls()).toBe(before);
    vi.advanceTimersByTime(20);
    expect(polls()).toBe(before + 10);
    vi.advanceTimersByTime(150);
    commit();
    vi.advanceTimersByTime(150);
    expect(polls()).toBe(before + 160);
    vi.advanceTimersByTime(150);
    const after = polls();
    vi.advanceTimersByTime(150);
    expect(polls()).toBe(after);
    while (polls() === after) await writePages(1);
  }));

test('watches files that it could not watch at first', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'access-admin-signal-'));
  let polls = 0;
  const signal = createSqliteCommitSignal(join(folder, 'later', 'store.db'), () => ++polls);
  signal.subscribe(() => {});
  mkdirSync(join(folder, 'later'));
  vi.advanceTimersByTime(1_000);
  expect(polls).toBe(2);
  while (polls === 2) {
    writeFileSync(join(folder, 'later', 'store.db-wal'), 'page');
    await setImmediate();
  }
  signal.close();
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
