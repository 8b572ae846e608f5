import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createSqliteCommitSignal } from './commit-signal.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

test('calls back once for each poll that finds a commit, also after a failed read of the version', () => {
  const versions = [1, 1, new Error('away'), 2, 2, 3];
  const signal = createSqliteCommitSignal(() => {
    const version = versions.shift() ?? 3;
    if (version instanceof Error) throw version;
    return version;
  }, 10);
  const told = vi.fn();
  signal.subscribe(told);
  const calls = [10, 20, 30, 40, 50, 60].map(() => {
    vi.advanceTimersByTime(10);
    return told.mock.calls.length;
  });
  expect(calls).toEqual([0, 0, 1, 1, 2, 2]);
  signal.close();
});

test('polls at once when it is asked to, and not before the first subscription', () => {
  let version = 1;
  const readVersion = vi.fn(() => version);
  const signal = createSqliteCommitSignal(readVersion);
  signal.poll();
  expect(readVersion).not.toHaveBeenCalled();
  const told = vi.fn();
  signal.subscribe(told);
  version = 2;
  signal.poll();
  signal.poll();
  expect(told).toHaveBeenCalledTimes(1);
  signal.close();
});

test('has no timer after a listener has closed it', () => {
  let version = 1;
  const signal = createSqliteCommitSignal(() => version++);
  signal.subscribe(signal.close);
  vi.advanceTimersByTime(100);
  signal.subscribe(() => {});
  expect(vi.getTimerCount()).toBe(0);
});
