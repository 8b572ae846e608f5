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
  readonly signal: ReturnType<typeof createSqliteCommitSignal>;
  polls(): number;
  writePages(count: number): Promise<void>;
}

/** A signal of a folder whose first page has been written. */
async function withSignal(work: (watched: Watched) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'access-admin-signal-'));
  let polls = 0;
  const signal = createSqliteCommitSignal(join(folder, 'store.db'), () => ++polls);
  signal.subscribe(() => {});
  const log = openSync(join(folder, 'store.db-wal'), 'w');
  const writePages = async (count: number) => {
    for (let page = 0; page < count; page++) {
      writeSync(log, 'page');
      await setImmediate();
    }
  };
  while (polls < 2) await writePages(1);
  await work({ signal, polls: () => polls, writePages });
  signal.close();
  closeSync(log);
  rmSync(folder, { recursive: true });
}

test('polls at once at a signal, several times after it, and at once at the next signal', () =>
  withSignal(async ({ polls, writePages }) => {
    await writePages(5);
    expect(polls()).toBe(2);
    vi.advanceTimersByTime(1 + 2);
    expect(polls()).toBe(4);
    while (polls() === 4) await writePages(1);
    expect(polls()).toBe(5);
    vi.advanceTimersByTime(255);
    expect(polls()).toBe(13);
    vi.advanceTimersByTime(500);
    expect(polls()).toBe(13);
  }));

test('does not watch the files during a long commit, and polls as time passes', () =>
  withSignal(async ({ polls, writePages }) => {
    await writePages(1_000);
    expect(polls()).toBe(2);
    vi.advanceTimersByTime(1);
    expect(polls()).toBe(3);
    await writePages(1_000);
    expect(polls()).toBe(3);
    vi.advanceTimersByTime(2 + 4);
    expect(polls()).toBe(5);
    // Watching again counts as a signal.
    vi.advanceTimersByTime(8);
    expect(polls()).toBe(6);
    vi.advanceTimersByTime(1);
    expect(polls()).toBe(7);
    while (polls() === 7) await writePages(1);
    expect(polls()).toBe(8);
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
