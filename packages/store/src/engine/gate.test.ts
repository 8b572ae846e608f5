import { setImmediate } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import type { ReadsAndWrites } from './database.ts';
import { StorageUnavailable } from './errors.ts';
import { createGate } from './gate.ts';

const never = async (): Promise<never> => {
  throw new Error('It is not called.');
};
const held: ReadsAndWrites = {
  read: async <T>() => (await setImmediate()) as T,
  write: never,
  writeAlone: never,
};

afterEach(() => {
  vi.restoreAllMocks();
});

/** Sets the monotonic clock. */
function setClock() {
  let nowMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  return (ms: number) => {
    nowMs = ms;
  };
}

test('long work ends at its next read a second after the gate was closed', async () => {
  const setMs = setClock();
  const gate = createGate();
  let reads = 0;
  const work = gate.guard(held).hold(async ({ read }) => {
    for (; reads < 10_000; reads++) await read(never);
  });
  const refused = expect(work).rejects.toThrow(StorageUnavailable);
  const closed = gate.close();
  await setImmediate();
  setMs(999);
  const before = reads;
  for (let turn = 0; turn < 10; turn++) await setImmediate();
  expect(reads).toBeGreaterThan(before);
  setMs(1_001);
  await refused;
  await closed;
  expect(reads).toBeLessThan(100);
});

test('short work that is under way when the gate is closed is completed', async () => {
  const gate = createGate();
  const work = gate.guard(held).hold(async ({ read }) => {
    for (let reads = 0; reads < 3; reads++) await read(never);
    return 'done';
  });
  await gate.close();
  expect(await work).toBe('done');
});
