import { createSemaphore } from '@access-admin/scheduling';
import { Registry } from 'prom-client';
import { expect, test, vi } from 'vitest';
import { createSemaphoreMetrics } from './semaphore-metrics.ts';

test('metrics tell what is held of a semaphore, how many wait, and how many were refused without those that left', async () => {
  vi.useFakeTimers();
  const registry = new Registry();
  const options = { capacity: 4, waitingMax: 4, waitMsMax: 1_000, elapsed: () => 0 };
  const semaphore = createSemaphoreMetrics(registry).addSemaphore('exports', createSemaphore(options));
  const counted = async () => {
    const text = await registry.metrics();
    return [...text.matchAll(/^access_admin_semaphore_(\w+)\{semaphore="exports"\} (\d+)$/gm)].map(
      ([, name, count]) => [name, count],
    );
  };
  const shown = (held: number, waiting: number, refused: number) =>
    Object.entries({ held, waiting, refused_total: refused }).map(([name, count]) => [name, `${count}`]);
  expect(await counted()).toEqual(shown(0, 0, 0));
  const holder = semaphore.open('a');
  const first = semaphore.open('a');
  const second = semaphore.open('a');
  holder.acquire(2);
  void first.acquire(1);
  void second.acquire(1);
  expect(await counted()).toEqual(shown(2, 2, 0));
  // A third one may not wait.
  expect(semaphore.open('a').acquire(1)).toMatchObject({ ok: false });
  expect(await counted()).toEqual(shown(2, 2, 1));
  second.release();
  expect(await counted()).toEqual(shown(2, 1, 1));
  vi.advanceTimersByTime(1_000);
  expect(await counted()).toEqual(shown(2, 0, 2));
  vi.useRealTimers();
});
