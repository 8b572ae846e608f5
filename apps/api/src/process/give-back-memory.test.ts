import { getHeapSpaceStatistics } from 'node:v8';
import { expect, test, vi } from 'vitest';
import { checkMemory, createMemoryGauge, giveBackMemory } from './give-back-memory.ts';

const MIB = 2 ** 20;

test.each([
  ['idle, with much to give back', { load: 0.01, youngBytes: 64 * MIB }, 1],
  ['idle, with little', { load: 0.01, youngBytes: 2 * MIB }, 0],
  ['at work', { load: 0.5, youngBytes: 64 * MIB }, 0],
])('a process that is %s', (_, { load, youngBytes }, times) => {
  let collected = 0;
  checkMemory({ load: () => load, youngBytes: () => youngBytes, collect: () => collected++ });
  expect(collected).toBe(times);
});

test('a process is checked every ten seconds', () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    let collected = 0;
    const stop = giveBackMemory({ load: () => 0, youngBytes: () => 64 * MIB, collect: () => collected++ });
    vi.advanceTimersByTime(9_999);
    expect(collected).toBe(0);
    vi.advanceTimersByTime(10_001);
    expect(collected).toBe(2);
    stop();
    vi.advanceTimersByTime(60_000);
    expect(collected).toBe(2);
  } finally {
    vi.useRealTimers();
  }
});

test('the collector of V8 collects young objects, and is not visible to other code', () => {
  const gauge = createMemoryGauge();
  const usedBytes = () =>
    getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_used_size ?? 0;
  let garbage: unknown[] = Array.from({ length: 20_000 }, (_, at) => ({ at }));
  const before = usedBytes() + garbage.length;
  garbage = [];
  gauge.collect();
  expect(usedBytes()).toBeLessThan(before);
  expect(gauge.youngBytes()).toBeGreaterThan(0);
  expect(gauge.load()).toBeGreaterThanOrEqual(0);
  expect(globalThis).not.toHaveProperty('gc');
});
