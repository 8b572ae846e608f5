import {
  COUNT_WAIT_SECONDS_MAX,
  COUNTS_AT_ONCE_MAX,
  COUNTS_WAITING_MAX,
  EXPLAINED_AT_ONCE_MAX,
  EXPLAINED_WAIT_SECONDS_MAX,
  EXPLAINED_WAITING_MAX,
} from '@access-admin/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createProcessSemaphores } from './semaphores.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('explained predictions: a tenant has half of the places and of those that wait, and waits 20 s at most', async () => {
  const { explaining } = createProcessSemaphores(() => 0);
  const places = EXPLAINED_AT_ONCE_MAX / 2;
  const waiting = EXPLAINED_WAITING_MAX / 2;
  const takes = Array.from({ length: places + waiting }, () => explaining.open('a').acquire(1));
  expect(explaining.usage()).toEqual({ held: places, waiting, tenants: 1 });
  const refused = { ok: false, failure: { isOwn: true, retryAfterSeconds: 1 } };
  expect(explaining.open('a').acquire(1)).toEqual(refused);
  expect(explaining.open('b').acquire(1)).toEqual({ ok: true, value: null });
  vi.advanceTimersByTime(EXPLAINED_WAIT_SECONDS_MAX * 1000 - 1);
  expect(explaining.usage().waiting).toBe(waiting);
  vi.advanceTimersByTime(1);
  expect(await takes.at(-1)).toEqual(refused);
  expect(explaining.usage()).toEqual({ held: places + 1, waiting: 0, tenants: 2 });
});

test('counts of lists: a tenant has one at a time and half of those that wait, and waits 10 s at most', async () => {
  const { counting } = createProcessSemaphores(() => 0);
  const waiting = COUNTS_WAITING_MAX / 2;
  const takes = Array.from({ length: 1 + waiting }, () => counting.open('a').acquire(1));
  expect(counting.usage()).toEqual({ held: 1, waiting, tenants: 1 });
  const refused = { ok: false, failure: { isOwn: true, retryAfterSeconds: 1 } };
  expect(counting.open('a').acquire(1)).toEqual(refused);
  for (let other = 1; other < COUNTS_AT_ONCE_MAX; other++)
    expect(counting.open(`b-${other}`).acquire(1)).toEqual({ ok: true, value: null });
  vi.advanceTimersByTime(COUNT_WAIT_SECONDS_MAX * 1000 - 1);
  expect(counting.usage().waiting).toBe(waiting);
  vi.advanceTimersByTime(1);
  expect(await takes.at(-1)).toEqual(refused);
  expect(counting.usage()).toEqual({ held: COUNTS_AT_ONCE_MAX, waiting: 0, tenants: COUNTS_AT_ONCE_MAX });
});
