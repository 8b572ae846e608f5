import { expect, onTestFinished, test, vi } from 'vitest';
import { concernsOf, followEvents } from './live.ts';

test.each([
  ['org.access-admin.sod.violation.opened.v1', ['violations']],
  ['org.access-admin.sod.policy.updated.v1', ['policies', 'violations']],
  ['org.access-admin.sod.exception.approved.v1', ['exceptions', 'violations']],
  ['org.access-admin.sod.report.completed.v1', ['reports']],
  ['org.access-admin.sod.check.completed.v1', ['checks']],
  ['org.access-admin.auth-user.capabilities-changed.v1', ['people', 'session']],
  ['org.access-admin.sign-in.locked.v1', ['people']],
  ['org.access-admin.access-model.imported.v1', ['everything']],
])('an event of type %s concerns %j', (type, concerns) => {
  expect(concernsOf(type)).toEqual(concerns);
});

test('no time passes until it ends, once it is told to while it waits to try again', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const stop = new AbortController();
  const last = vi.fn(() => Promise.reject(new Error('The service is overloaded.')));
  const lives: boolean[] = [];
  const listener = { onConcern: () => {}, onLive: (isLive: boolean) => void lives.push(isLive) };
  const followed = followEvents({ events: { last, stream: vi.fn() } }, listener, stop.signal);
  await vi.waitUntil(() => vi.getTimerCount() > 0);
  expect(lives).toEqual([false]);
  stop.abort();
  await followed;
  expect(last).toHaveBeenCalledOnce();
  expect(vi.getTimerCount()).toBe(0);
});
