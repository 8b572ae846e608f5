import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createStarts } from './starts.ts';
import { createTurns, SLICE_MS } from './turns.ts';

function open() {
  let nowMs = 0;
  let woken = 0;
  const turns = createTurns({
    busyMs: () => nowMs,
    nextTick: async () => {
      await setImmediate();
    },
    onProgress: () => {},
  });
  const starts = createStarts({ turns, onWork: () => woken++ });
  const order: string[] = [];
  /** Work that takes longer than a slice. */
  const start = async (tenant: string) => {
    await starts.awaitStart(tenant);
    order.push(tenant);
    nowMs += SLICE_MS + 1;
  };
  return { turns, starts, order, start, woken: () => woken };
}

test('tenants start in turn, however much one has waiting', async () => {
  const { turns, order, start, woken } = open();
  const all = [start('a'), start('a'), start('a'), start('b')];
  expect(woken()).toBe(4);
  while (await turns.runSlice());
  await Promise.all(all);
  expect(order).toEqual(['a', 'b', 'a', 'a']);
});

test('nothing starts without its turn until the end, and everything after it', async () => {
  const { starts, order, start } = open();
  const waiting = start('a');
  await setImmediate();
  expect(order).toEqual([]);
  starts.end();
  await waiting;
  await start('b');
  expect(order).toEqual(['a', 'b']);
});
